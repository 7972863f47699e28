import {createView} from '../../values/view.ts';
import {type Chain, type ChainRecord, chainSchema, chainStepSchema} from '../model/chain.ts';
import {
	type ChainExecution,
	type ChainExecutionRecord,
	chainExecutionSchema,
	stepExecutionSchema,
} from '../model/chain-execution.ts';

const chainFieldsOf = createView(chainSchema);
const stepOf = createView(chainStepSchema);
const executionFieldsOf = createView(chainExecutionSchema);
const stepExecutionOf = createView(stepExecutionSchema);

export const chainViewOf = (chain: ChainRecord): Chain => chainFieldsOf({...chain, steps: chain.steps.map(stepOf)});

export const chainExecutionViewOf = (execution: ChainExecutionRecord): ChainExecution =>
	executionFieldsOf({...execution, steps: execution.steps.map(stepExecutionOf)});

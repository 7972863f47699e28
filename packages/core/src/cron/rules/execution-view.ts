import {createView} from '../../values/view.ts';
import {executionSchema} from '../model/execution.ts';

export const executionViewOf = createView(executionSchema);

import {createView} from '../../values/view.ts';
import {type Variable, type VariableRecord, variableSchema} from '../model/variable.ts';

/** A variable as its viewers see it: never its value. */
export const variableOf: (record: VariableRecord) => Variable = createView(variableSchema);

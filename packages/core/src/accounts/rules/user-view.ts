import {createView} from '../../values/view.ts';
import {type User, type UserRecord, userSchema} from '../model/user.ts';

/** An account as its owner sees it. */
export const userOf: (user: UserRecord) => User = createView(userSchema);

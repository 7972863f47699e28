import {createView} from '../../values/view.ts';
import {type ApiKey, type ApiKeyRecord, apiKeySchema} from '../model/api-key.ts';

/** A key as its owner sees it. */
export const apiKeyOf: (key: ApiKeyRecord) => ApiKey = createView(apiKeySchema);

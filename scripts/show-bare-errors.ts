/**
 * Loaded into AVA's own process. Its TAP output ends the whole run at a failure whose error has no stack frames, because
 * the YAML writer below it takes no undefined values; here it leaves them out, and the failure is shown.
 */
import {createRequire} from 'node:module';
import {isMainThread} from 'node:worker_threads';

type YamlWriter = {safeDump(value: unknown, options?: object): string};

if (isMainThread) {
	const require = createRequire(import.meta.url);
	const yaml: YamlWriter = createRequire(createRequire(require.resolve('ava')).resolve('supertap'))('js-yaml');
	const {safeDump} = yaml;
	yaml.safeDump = (value, options) => safeDump(value, {...options, skipInvalid: true});
}

import {execFile} from 'node:child_process';
import {promisify} from 'node:util';

const file = 'packages/cli/test/agent/large-output.test.ts';

/** A command that prints a gigabyte: the test of 64 MB, with more. */
export const tortureAgentOutput = async (): Promise<void> => {
	const {stdout} = await promisify(execFile)('npx', ['ava', file], {
		env: {...process.env, AGENT_OUTPUT_BYTES: String(1e9)},
	});
	console.log(stdout.trim());
};

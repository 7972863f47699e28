import {createHmac, randomUUID} from 'node:crypto';
import examples from '@octokit/webhooks-examples' with {type: 'json'};

/** What every contestant knows the sender by. */
export const secret = 'known to both sides of the benchmark';

const leastBytes = 10_240;

type Push = Readonly<{repository: Readonly<{full_name: string}>; commits: readonly unknown[]}>;

type Definition = Readonly<{name: string; examples: readonly Push[]}>;

const [recorded] = (examples as unknown as readonly Definition[]).flatMap(({name, examples: all}) =>
	name === 'push' ? all : [],
);
if (recorded === undefined) throw new Error('There is no example of a push.');

/** One commit as GitHub lists it, of which a push has many. */
const commitOf = (index: number) => ({
	id: `${index}`.padStart(40, '0'),
	tree_id: 'f9d2a07e9488b91af2641b26b9407fe22a451433',
	distinct: true,
	message: 'Initialize the calendar before the first page asks for it',
	timestamp: '2026-03-05T19:40:15-05:00',
	url: `https://github.com/Codertocat/Hello-World/commit/${`${index}`.padStart(40, '0')}`,
	author: {name: 'Codertocat', email: '21031067+Codertocat@users.noreply.github.com', username: 'Codertocat'},
	committer: {name: 'Codertocat', email: '21031067+Codertocat@users.noreply.github.com', username: 'Codertocat'},
	added: ['src/calendar.ts', 'test/calendar.test.ts'],
	removed: [],
	modified: ['README.md', 'src/pages/first.ts'],
});

const longEnough = (push: Push): string => {
	const text = JSON.stringify(push);
	return text.length >= leastBytes
		? text
		: longEnough({...push, commits: [...push.commits, commitOf(push.commits.length)]});
};

/** A push as GitHub sends it, of about 10 KB. */
export const body = longEnough(recorded);

/** What the body is routed by. */
export const repository = recorded.repository.full_name;

export const headersFor = (delivery: string): Readonly<Record<string, string>> => ({
	'content-type': 'application/json',
	'user-agent': 'GitHub-Hookshot/044aadd',
	accept: '*/*',
	'x-github-delivery': delivery,
	'x-github-event': 'push',
	'x-github-hook-id': '292430182',
	'x-github-hook-installation-target-id': '79929171',
	'x-github-hook-installation-target-type': 'repository',
	'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});

export const newDelivery = (): string => randomUUID();

/** Preloaded into the server, counts the statements that its threads run, and writes them into a file for each thread. */
import {writeFileSync} from 'node:fs';
import {DatabaseSync, StatementSync} from 'node:sqlite';
import {threadId} from 'node:worker_threads';

const directory = decodeURIComponent(new URL(import.meta.url).search.slice(1));
let count = 0;
let written = 0;

const counting = (prototype, name) => {
	const run = prototype[name];
	prototype[name] = function (...args) {
		count += 1;
		return run.apply(this, args);
	};
};

for (const name of ['run', 'get', 'all', 'iterate']) counting(StatementSync.prototype, name);
counting(DatabaseSync.prototype, 'exec');

setInterval(() => {
	if (count === written) return;
	written = count;
	writeFileSync(`${directory}/${threadId}`, String(count));
}, 100).unref();

#!/usr/bin/env node
import {setFlagsFromString} from 'node:v8';

if (Number(process.versions.node.split('.')[0]) < 22) {
	console.error(
		`signalbox-server needs Node 22.20 or later, this is ${process.version}. In a checkout, npm start brings its own.`,
	);
	process.exit(1);
}
// V8 would let what lives long grow up to fourfold before it is collected. NODE_OPTIONS does not take this one.
if (!process.execArgv.some((flag) => flag.startsWith('--heap-growing-percent')))
	setFlagsFromString('--heap-growing-percent=40');
// V8 learns which objects live long, and from then on makes them among the old: by what it sees first, and for as long as the
// process lives. Where it takes those of a webhook for such, all that they lead to becomes old with them.
setFlagsFromString('--no-allocation-site-pretenuring');
// What was said of the young generation is for this thread: it would overrule the limits that the others are started with.
setFlagsFromString('--max-semi-space-size=0');
await import('../dist/main.js');

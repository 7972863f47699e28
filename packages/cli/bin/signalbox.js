#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) < 22) {
	console.error(
		`signalbox needs Node 22.20 or later, this is ${process.version}. In a checkout, npm start brings its own.`,
	);
	process.exit(1);
}
await import('../dist/main.js');

import {registerHooks} from 'node:module';

/** Preloaded into a program: there, node:sqlite cannot be loaded, as in a Node that was built without it. */
registerHooks({
	resolve: (specifier, context, next) => {
		if (specifier === 'node:sqlite') throw new Error('this Node was built without SQLite');
		return next(specifier, context);
	},
});

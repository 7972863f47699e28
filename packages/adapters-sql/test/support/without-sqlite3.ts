import {registerHooks} from 'node:module';

/** Preloaded into a program: there, sqlite3 cannot be loaded, as where nothing could compile it. */
registerHooks({
	resolve: (specifier, context, next) => {
		if (specifier === 'sqlite3') throw new Error('sqlite3 is not built');
		return next(specifier, context);
	},
});

/** Preloaded into the server, makes one module fail to load, as where it is not installed: `without-module.js?sqlite3`. */
import {registerHooks} from 'node:module';

const missing = decodeURIComponent(new URL(import.meta.url).search.slice(1));

registerHooks({
	resolve(specifier, context, nextResolve) {
		if (specifier === missing) throw new Error(`${missing} is left out of this run`);
		return nextResolve(specifier, context);
	},
});

import type {Stores} from '../ports/index.ts';

/** Which methods of which stores reject, and with what. */
export type StoreFailures = Readonly<{
	[Store in keyof Stores]?: Readonly<{[Method in keyof Stores[Store]]?: unknown}>;
}>;

const rejecting = (errors: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(Object.entries(errors).map(([method, error]) => [method, () => Promise.reject(error)]));

/**
 * The same stores, but the named methods reject: for what callers see when storage fails.
 * `failingStores(stores, {users: {byId: new Error('disk full')}})`
 */
export const failingStores = <S extends Partial<Stores>>(stores: S, failures: StoreFailures): S => {
	const broken = Object.entries(failures).map(([name, errors]) => [
		name,
		{...stores[name as keyof Stores], ...rejecting(errors)},
	]);
	return {...stores, ...Object.fromEntries(broken)};
};

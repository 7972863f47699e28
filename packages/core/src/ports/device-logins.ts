import type {DeviceLogin} from '../accounts/model/device-login.ts';

/** Logins of devices, from the request until the API key is made. Expiry is judged by the store's clock. */
export type DeviceLoginStore = Readonly<{
	/** `expires_at` is the store's now plus the lifetime. */
	open(login: Omit<DeviceLogin, 'created_at' | 'expires_at'>, lifetime_seconds: number): Promise<DeviceLogin>;
	/** One that nobody has confirmed yet, and that has not expired. */
	pending(id: string): Promise<DeviceLogin | undefined>;
	/**
	 * One that is pending becomes confirmed, by the first call only, and its code holds for that time.
	 * @returns whether it did.
	 */
	confirm(
		id: string,
		confirmation: Readonly<{user_id: string; code_digest: string; lifetime_seconds: number}>,
	): Promise<boolean>;
	/**
	 * Ends a confirmed one whose code still holds, if code and challenge are its own; anything else changes nothing.
	 * @returns by whom it was confirmed, to the first call only.
	 */
	redeem(
		id: string,
		proof: Readonly<{code_digest: string; code_challenge: string}>,
	): Promise<Readonly<{user_id: string; device_name: string}> | undefined>;
	/** Forgets what has expired. @returns how many. */
	purge(): Promise<number>;
}>;

import type {DeviceLogin} from '@signalbox/core';
import {defineTable, instant, nullable, text} from '../table.ts';

const login = {
	id: text(),
	user_code: text(),
	device_name: text(),
	code_challenge: text(),
	redirect_uri: text(),
	state: text(),
	created_at: instant,
	expires_at: instant,
};

export const deviceLogins = defineTable<DeviceLogin>('device_logins', login);

export const confirmedLogins = defineTable<
	DeviceLogin & Readonly<{user_id: string | null; code_digest: string | null}>
>('device_logins', {...login, user_id: nullable(text()), code_digest: nullable(text())});

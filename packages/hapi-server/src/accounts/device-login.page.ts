import type {DeviceLogin} from '@signalbox/core';
import {plainPage, plainPageHeaders} from '../http/plain-page.ts';

/** A browser that follows the form to the device counts it as the form's target too. */
export const loginPageHeaders = (redirect_uri: string): Readonly<Record<string, string>> => ({
	...plainPageHeaders(redirect_uri === '' ? "'self'" : `'self' ${new URL(redirect_uri).origin}`),
	// With none at all browsers hide where a form comes from.
	'referrer-policy': 'same-origin',
});

const entities: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

const about = ({device_name, user_code}: DeviceLogin): string =>
	`<p>The device <strong>${escaped(device_name)}</strong> wants to act for you. It shows this code:</p>
<p><code>${escaped(user_code)}</code></p>
<p>If you did not begin this just now, or the code is another one, refuse.</p>`;

const withSession = `<form method="post">
<button name="with" value="session">Confirm as who is signed in here</button>
</form>`;

const withPassword = `<form method="post">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button name="with" value="password">Sign in and confirm</button>
</form>`;

const refusal = `<form method="post">
<button name="with" value="refusal">Refuse</button>
</form>`;

/** Asks whether a device may act for who reads it. */
export const confirmPage = (
	login: DeviceLogin,
	{signed_in, problem}: Readonly<{signed_in: boolean; problem?: string | undefined}>,
): string =>
	plainPage(
		'Log a device in',
		[
			about(login),
			problem === undefined ? '' : `<p role="alert"><strong>${escaped(problem)}</strong></p>`,
			signed_in ? withSession : '',
			withPassword,
			refusal,
		].join('\n'),
	);

/** Shows the code, for a device that no browser can call back. */
export const codePage = ({device_name}: DeviceLogin, code: string): string =>
	plainPage(
		'Confirmed',
		`<p>Paste this code into <strong>${escaped(device_name)}</strong> within a minute, and nowhere else:</p>
<p><code>${escaped(code)}</code></p>`,
	);

export const problemPage = (problem: string): string =>
	plainPage('Nothing was confirmed', `<p role="alert">${escaped(problem)}</p>`);

import {Form, TextField} from '../parts/form.tsx';
import {showDone} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {session, signIn} from '../session/session.ts';
import {SettingsPage} from './settings-page.tsx';

/** Every session ends with the old password; this one begins anew with the new one. */
const changePassword = async (email: string, values: FormData): Promise<void> => {
	const [current_password, new_password] = [String(values.get('current_password')), String(values.get('new_password'))];
	await client.auth.changePassword({body: {current_password, new_password}});
	await signIn({email, password: new_password});
	showDone('Your password is changed; every other session has ended.');
};

export default () => {
	const state = session.value;
	if (state.state !== 'signed-in') return null;
	const {email, name, plan} = state.user;
	return (
		<SettingsPage tab="/settings/account">
			<div class="card">
				<div class="card-body">
					<dl class="facts">
						<dt>Name</dt>
						<dd>{name ?? 'None'}</dd>
						<dt>Email</dt>
						<dd>{email}</dd>
						<dt>Plan</dt>
						<dd>{plan.replaceAll('_', ' ')}</dd>
					</dl>
				</div>
			</div>
			<section class="card" aria-labelledby="password">
				<div class="card-head">
					<h2 id="password">Password</h2>
				</div>
				<div class="card-body">
					<Form action="Change the password" submit={(values) => changePassword(email, values)}>
						<TextField
							name="current_password"
							label="Current password"
							type="password"
							autocomplete="current-password"
							required
						/>
						<TextField
							name="new_password"
							label="New password"
							type="password"
							autocomplete="new-password"
							minLength={8}
							maxLength={256}
							hint="8 characters or more. Every other session ends."
							required
						/>
					</Form>
				</div>
			</section>
		</SettingsPage>
	);
};

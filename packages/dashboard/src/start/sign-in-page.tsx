import {useLocation} from 'preact-iso';
import {Form, TextField, textOf} from '../parts/form.tsx';
import {signIn} from '../session/session.ts';
import {Alone} from '../shell/alone.tsx';

export default () => {
	const {url} = useLocation();
	return (
		<Alone title="Sign in" lead="Decide what agents may do, and see what happened.">
			<div class="card">
				<div class="card-body">
					<Form
						action="Sign in"
						submit={(values) =>
							signIn({email: textOf(values, 'email'), password: String(values.get('password') ?? '')})
						}
					>
						<TextField name="email" label="Email" type="email" autocomplete="username" required autofocus />
						<TextField name="password" label="Password" type="password" autocomplete="current-password" required />
					</Form>
				</div>
			</div>
			<p class="soft">
				No account yet? <a href={`/register${new URL(url, location.origin).search}`}>Register</a>
			</p>
		</Alone>
	);
};

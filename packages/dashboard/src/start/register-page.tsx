import {useLocation} from 'preact-iso';
import {Form, TextField, textOf} from '../parts/form.tsx';
import {register} from '../session/session.ts';
import {Alone} from '../shell/alone.tsx';

const accountOf = (values: FormData) => {
	const [name, invite] = [textOf(values, 'name'), textOf(values, 'invite')];
	return {
		email: textOf(values, 'email'),
		password: String(values.get('password') ?? ''),
		...(name !== '' && {name}),
		...(invite !== '' && {invite}),
	};
};

export default () => {
	const {url, query} = useLocation();
	return (
		<Alone title="Make an account" lead="You get a team of your own, and may join others.">
			<div class="card">
				<div class="card-body">
					<Form action="Register" submit={(values) => register(accountOf(values))}>
						<TextField name="name" label="Name" autocomplete="name" maxLength={100} autofocus />
						<TextField name="email" label="Email" type="email" autocomplete="username" required />
						<TextField
							name="password"
							label="Password"
							type="password"
							autocomplete="new-password"
							hint="8 characters or more; a sentence is best."
							minLength={8}
							maxLength={256}
							required
						/>
						<TextField
							name="invite"
							label="Invitation"
							value={query.invite ?? ''}
							autocomplete="off"
							hint="Only where this server asks for one."
							mono
						/>
					</Form>
				</div>
			</div>
			<p class="soft">
				Have one already? <a href={`/sign-in${new URL(url, location.origin).search}`}>Sign in</a>
			</p>
		</Alone>
	);
};

import type {TeamMember, TeamWithMembers} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useResource} from '../live/use-resource.ts';
import {DeleteButton} from '../parts/delete-button.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Form, SelectField, TextField, textOf} from '../parts/form.tsx';
import {Icon} from '../parts/icon.tsx';
import {ShownOnce} from '../parts/shown-once.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TableHead} from '../parts/table-head.tsx';
import {RelativeTime} from '../parts/time.tsx';
import {showDone, showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {chooseTeam, session} from '../session/session.ts';
import {SettingsPage} from './settings-page.tsx';

const roles = [
	{value: 'member', label: 'Member: uses the team'},
	{value: 'owner', label: 'Owner: may change it'},
];

const NewTeamDialog = ({onClose}: {onClose: () => void}) => (
	<Dialog title="New team" onClose={onClose}>
		<p class="soft">Its members share MCP servers and decide on their calls together.</p>
		<Form
			action="Make the team"
			onCancel={onClose}
			submit={async (values) => {
				const {id, name} = await client.teams.create({body: {name: textOf(values, 'name')}});
				await chooseTeam(id);
				showDone(`You are in ${name} now`);
				onClose();
			}}
		>
			<TextField name="name" label="Name" required maxLength={100} autofocus />
		</Form>
	</Dialog>
);

const AddMemberDialog = ({team, onClose, onDone}: {team: TeamWithMembers; onClose: () => void; onDone: () => void}) => (
	<Dialog title={`Add somebody to ${team.name}`} onClose={onClose}>
		<Form
			action="Add"
			onCancel={onClose}
			submit={async (values) => {
				const role = textOf(values, 'role') === 'owner' ? 'owner' : 'member';
				await client.teams.members.add({path: {id: team.id}, body: {email: textOf(values, 'email'), role}});
				onDone();
				onClose();
			}}
		>
			<TextField
				name="email"
				label="Email"
				type="email"
				hint="Of an account on this server. Invite who has none yet."
				autocomplete="off"
				required
				autofocus
			/>
			<SelectField name="role" label="Role" options={roles} value="member" />
		</Form>
	</Dialog>
);

const InviteDialog = ({token, onClose}: {token: string; onClose: () => void}) => (
	<ShownOnce
		title="An invitation"
		text={`${location.origin}/register?invite=${encodeURIComponent(token)}`}
		onClose={onClose}
	>
		Works once, for 7 days. Whoever opens it can make an account, and joins the team.
	</ShownOnce>
);

type MemberProps = Readonly<{member: TeamMember; remove: (() => Promise<void>) | undefined}>;

const MemberRow = ({member, remove}: MemberProps) => (
	<tr>
		<td>
			<span class="strong">{member.name ?? member.email}</span>
			<div class="small soft">{member.email}</div>
		</td>
		<td data-label="Role">{member.role === 'owner' ? 'Owner' : 'Member'}</td>
		<td data-label="Since">
			<RelativeTime instant={member.created_at} />
		</td>
		<td class="actions">
			{remove && (
				<DeleteButton small label="Remove" action="Remove" name={member.name ?? member.email} onDelete={remove}>
					They no longer see the team's servers, calls and approvals.
				</DeleteButton>
			)}
		</td>
	</tr>
);

type Asked = 'add' | Readonly<{token: string}>;

const Team = ({team, onDone}: {team: TeamWithMembers; onDone: () => void}) => {
	const [asked, ask] = useState<Asked>();
	const mayChange = team.role === 'owner';
	const remove = async ({user_id}: TeamMember): Promise<void> => {
		await client.teams.members.remove({path: {id: team.id, user_id}});
		onDone();
	};
	const invite = async (): Promise<void> =>
		ask({token: (await client.teams.invites.create({path: {id: team.id}})).token});
	return (
		<section class="card" aria-labelledby="members">
			<div class="card-head">
				<h2 id="members">{team.name}</h2>
				{mayChange && (
					<div class="row">
						<button type="button" class="button small" onClick={() => void invite().catch(showProblem)}>
							Invite
						</button>
						<button type="button" class="button small" onClick={() => ask('add')}>
							Add somebody
						</button>
					</div>
				)}
			</div>
			<table class="table cards">
				<TableHead columns={['Member', 'Role', 'Since']} />
				<tbody>
					{team.members.map((member) => (
						<MemberRow
							key={member.user_id}
							member={member}
							remove={mayChange && team.members.length > 1 ? () => remove(member) : undefined}
						/>
					))}
				</tbody>
			</table>
			{asked === 'add' && <AddMemberDialog team={team} onClose={() => ask(undefined)} onDone={onDone} />}
			{typeof asked === 'object' && <InviteDialog token={asked.token} onClose={() => ask(undefined)} />}
		</section>
	);
};

export default () => {
	const state = session.value;
	const id = state.state === 'signed-in' ? state.user.active_team_id : '';
	const {data, error, reload} = useResource(`team/${id}`, () => client.teams.get({path: {id}}));
	const [making, make] = useState(false);
	return (
		<SettingsPage
			tab="/settings/team"
			action={
				<button type="button" class="button primary" onClick={() => make(true)}>
					<Icon name="add" />
					New team
				</button>
			}
		>
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			{data === undefined && error === undefined && (
				<div class="card">
					<div class="card-body">
						<Skeleton lines={5} label="Loading the team" />
					</div>
				</div>
			)}
			{data && <Team team={data} onDone={reload} />}
			<p class="small soft">You choose the team that pages are about at your name, where more than one is yours.</p>
			{making && <NewTeamDialog onClose={() => make(false)} />}
		</SettingsPage>
	);
};

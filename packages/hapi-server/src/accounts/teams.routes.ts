import {nameText, teamMemberSchema, teamRoleSchema, teamSchema} from '@signalbox/core';
import {z} from 'zod';
import {defineRoute} from '../http/define-route.ts';
import {emailField, idParams, listOf} from '../http/fields.ts';
import {userView} from './users.views.ts';

const exampleTeam = {
	id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a02',
	name: 'Platform',
	is_personal: false,
	created_at: '2026-01-31T09:30:00.000Z',
	updated_at: '2026-01-31T09:30:00.000Z',
	role: 'owner',
};
const exampleMember = {
	user_id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a01',
	email: 'ada@example.com',
	name: 'Ada',
	role: 'owner',
	created_at: '2026-01-31T09:30:00.000Z',
};

const teamMemberView = teamMemberSchema.meta({id: 'TeamMember', examples: [exampleMember]});
const listedTeamView = teamSchema.extend({role: teamRoleSchema}).meta({id: 'Team', examples: [exampleTeam]});
const teamView = teamSchema
	.extend({role: teamRoleSchema, members: z.array(teamMemberView)})
	.meta({id: 'TeamWithMembers', examples: [{...exampleTeam, members: [exampleMember]}]});
const inviteView = z
	.object({
		id: z.string(),
		token: z.string().meta({description: 'For one registration: answered here and never again.'}),
		expires_at: z.iso.datetime(),
	})
	.meta({
		id: 'Invite',
		examples: [
			{id: '01990a3c-5b1e-7c30-8a52-0f6f3f1f2a05', token: 'an-invitation', expires_at: '2026-02-07T09:30:00.000Z'},
		],
	});

const list = defineRoute({
	method: 'GET',
	path: '/v1/teams',
	operationId: 'teams.list',
	summary: 'Teams of the caller',
	auth: 'caller',
	extension: true,
	replies: {200: listOf('TeamList', listedTeamView)},
	handler: async ({core, caller}) => ({data: await core.accounts.teams.list(caller)}),
});

const create = defineRoute({
	method: 'POST',
	path: '/v1/teams',
	operationId: 'teams.create',
	summary: 'Make a team',
	auth: 'caller',
	extension: true,
	payload: z.strictObject({name: nameText}).meta({id: 'CreateTeam', examples: [{name: 'Platform'}]}),
	replies: {201: teamView},
	handler: ({core, caller, payload}) => core.accounts.teams.create(caller, payload),
});

const get = defineRoute({
	method: 'GET',
	path: '/v1/teams/{id}',
	operationId: 'teams.get',
	summary: 'One team, with its members',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: teamView},
	handler: ({core, caller, params}) => core.accounts.teams.get(caller, params.id),
});

const update = defineRoute({
	method: 'PUT',
	path: '/v1/teams/{id}',
	operationId: 'teams.update',
	summary: 'Rename a team',
	auth: 'caller',
	extension: true,
	params: idParams,
	payload: z.strictObject({name: nameText.optional()}).meta({id: 'UpdateTeam', examples: [{name: 'Platform'}]}),
	replies: {200: teamView},
	errors: ['forbidden'],
	handler: ({core, caller, params, payload}) => core.accounts.teams.update(caller, params.id, payload),
});

const remove = defineRoute({
	method: 'DELETE',
	path: '/v1/teams/{id}',
	operationId: 'teams.delete',
	summary: 'Delete a team and everything in it',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {204: null},
	errors: ['forbidden', 'conflict'],
	handler: async ({core, caller, params}) => {
		await core.accounts.teams.delete(caller, params.id);
		return undefined;
	},
});

const addMember = defineRoute({
	method: 'POST',
	path: '/v1/teams/{id}/members',
	operationId: 'teams.members.add',
	summary: 'Add a registered user to a team',
	auth: 'caller',
	extension: true,
	params: idParams,
	payload: z
		.strictObject({email: emailField, role: teamRoleSchema})
		.meta({id: 'AddTeamMember', examples: [{email: 'grace@example.com', role: 'member'}]}),
	replies: {201: teamMemberView},
	errors: ['forbidden', 'resource_exists', 'conflict'],
	handler: ({core, caller, params, payload}) => core.accounts.teams.addMember(caller, params.id, payload),
});

const removeMember = defineRoute({
	method: 'DELETE',
	path: '/v1/teams/{id}/members/{user_id}',
	operationId: 'teams.members.remove',
	summary: 'Take a member out of a team',
	auth: 'caller',
	extension: true,
	params: idParams.extend({user_id: z.uuid()}),
	replies: {204: null},
	errors: ['forbidden', 'conflict'],
	handler: async ({core, caller, params}) => {
		await core.accounts.teams.removeMember(caller, params.id, params.user_id);
		return undefined;
	},
});

const activate = defineRoute({
	method: 'POST',
	path: '/v1/teams/{id}/activate',
	operationId: 'teams.activate',
	summary: "Make a team the caller's active one",
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {200: userView},
	handler: ({core, caller, params}) => core.accounts.teams.activate(caller, params.id),
});

const invite = defineRoute({
	method: 'POST',
	path: '/v1/teams/{id}/invites',
	operationId: 'teams.invites.create',
	summary: 'Make a single-use invitation to register, valid for seven days',
	auth: 'caller',
	extension: true,
	params: idParams,
	replies: {201: inviteView},
	errors: ['forbidden'],
	handler: ({core, caller, params}) => core.accounts.teams.invite(caller, params.id),
});

export const teamRoutes = [list, create, get, update, remove, addMember, removeMember, activate, invite];

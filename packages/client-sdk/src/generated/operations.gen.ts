// Written by scripts/generate.ts from openapi.yaml.

import type {CallOptions, Items, IterateOptions, OperationRow, Refusal} from '../operation.ts';
import type {
	AgentsDeleteData,
	AgentsDeleteResponse,
	AgentsGetData,
	AgentsGetResponse,
	AgentsListData,
	AgentsListResponse,
	AgentsUpdateData,
	AgentsUpdateResponse,
	ApiKeysCreateData,
	ApiKeysCreateResponse,
	ApiKeysDeleteData,
	ApiKeysDeleteResponse,
	ApiKeysGetData,
	ApiKeysGetResponse,
	ApiKeysListData,
	ApiKeysListResponse,
	AuditListData,
	AuditListResponse,
	AuthChangePasswordData,
	AuthChangePasswordResponse,
	AuthLoginData,
	AuthLoginResponse,
	AuthLogoutData,
	AuthLogoutResponse,
	AuthMeData,
	AuthMeResponse,
	AuthRefreshData,
	AuthRefreshResponse,
	AuthRegisterData,
	AuthRegisterResponse,
	CronChainExecutionsCancelData,
	CronChainExecutionsCancelResponse,
	CronChainExecutionsGetData,
	CronChainExecutionsGetResponse,
	CronChainsCreateData,
	CronChainsCreateResponse,
	CronChainsDeleteData,
	CronChainsDeleteResponse,
	CronChainsExecutionsData,
	CronChainsExecutionsResponse,
	CronChainsGetData,
	CronChainsGetResponse,
	CronChainsListData,
	CronChainsListResponse,
	CronChainsRunData,
	CronChainsRunResponse,
	CronChainsUpdateData,
	CronChainsUpdateResponse,
	CronExecutionsCancelData,
	CronExecutionsCancelResponse,
	CronExecutionsGetData,
	CronExecutionsGetResponse,
	CronExecutionsListData,
	CronExecutionsListResponse,
	CronExecutionsRetryData,
	CronExecutionsRetryResponse,
	CronJobsCheckData,
	CronJobsCheckResponse,
	CronJobsCreateData,
	CronJobsCreateResponse,
	CronJobsDeleteData,
	CronJobsDeleteResponse,
	CronJobsDisableData,
	CronJobsDisableResponse,
	CronJobsEnableData,
	CronJobsEnableResponse,
	CronJobsExplainData,
	CronJobsExplainResponse,
	CronJobsGetData,
	CronJobsGetResponse,
	CronJobsListData,
	CronJobsListResponse,
	CronJobsNextData,
	CronJobsNextResponse,
	CronJobsRunData,
	CronJobsRunResponse,
	CronJobsUpdateData,
	CronJobsUpdateResponse,
	EnvironmentCreateData,
	EnvironmentCreateResponse,
	EnvironmentDeleteData,
	EnvironmentDeleteResponse,
	EnvironmentGetData,
	EnvironmentGetResponse,
	EnvironmentListData,
	EnvironmentListResponse,
	EnvironmentUpdateData,
	EnvironmentUpdateResponse,
	McpApprovalsApproveData,
	McpApprovalsApproveResponse,
	McpApprovalsGetData,
	McpApprovalsGetResponse,
	McpApprovalsListData,
	McpApprovalsListResponse,
	McpApprovalsRejectData,
	McpApprovalsRejectResponse,
	McpCallsCountData,
	McpCallsCountResponse,
	McpCallsDeleteData,
	McpCallsDeleteResponse,
	McpCallsGetData,
	McpCallsGetResponse,
	McpCallsListData,
	McpCallsListResponse,
	McpCallsMetricsData,
	McpCallsMetricsResponse,
	McpServersCostsData,
	McpServersCostsResponse,
	McpServersCreateData,
	McpServersCreateResponse,
	McpServersDeleteData,
	McpServersDeleteResponse,
	McpServersGetData,
	McpServersGetResponse,
	McpServersListData,
	McpServersListResponse,
	McpServersRotateSlugData,
	McpServersRotateSlugResponse,
	McpServersUpdateData,
	McpServersUpdateResponse,
	NotificationChannelsCreateData,
	NotificationChannelsCreateResponse,
	NotificationChannelsDeleteData,
	NotificationChannelsDeleteResponse,
	NotificationChannelsGetData,
	NotificationChannelsGetResponse,
	NotificationChannelsListData,
	NotificationChannelsListResponse,
	NotificationChannelsTestData,
	NotificationChannelsTestResponse,
	NotificationChannelsUpdateData,
	NotificationChannelsUpdateResponse,
	NotificationsDeleteData,
	NotificationsDeleteResponse,
	NotificationsListData,
	NotificationsListResponse,
	NotificationsReadAllData,
	NotificationsReadAllResponse,
	NotificationsReadData,
	NotificationsReadResponse,
	NotificationsRotateSecretData,
	NotificationsRotateSecretResponse,
	NotificationsUnreadCountData,
	NotificationsUnreadCountResponse,
	TeamsActivateData,
	TeamsActivateResponse,
	TeamsCreateData,
	TeamsCreateResponse,
	TeamsDeleteData,
	TeamsDeleteResponse,
	TeamsGetData,
	TeamsGetResponse,
	TeamsInvitesCreateData,
	TeamsInvitesCreateResponse,
	TeamsListData,
	TeamsListResponse,
	TeamsMembersAddData,
	TeamsMembersAddResponse,
	TeamsMembersRemoveData,
	TeamsMembersRemoveResponse,
	TeamsUpdateData,
	TeamsUpdateResponse,
	WebhookEndpointsCreateData,
	WebhookEndpointsCreateResponse,
	WebhookEndpointsDeleteData,
	WebhookEndpointsDeleteResponse,
	WebhookEndpointsGetData,
	WebhookEndpointsGetResponse,
	WebhookEndpointsListData,
	WebhookEndpointsListResponse,
	WebhookEndpointsRotateSecretData,
	WebhookEndpointsRotateSecretResponse,
	WebhookEndpointsUpdateData,
	WebhookEndpointsUpdateResponse,
	WebhookEventsGetData,
	WebhookEventsGetResponse,
	WebhookEventsListData,
	WebhookEventsListResponse,
	WebhookEventsReplayAllData,
	WebhookEventsReplayAllResponse,
	WebhookEventsReplayData,
	WebhookEventsReplayResponse,
	WebhookEventsRetryAllData,
	WebhookEventsRetryAllResponse,
	WebhookEventsRetryData,
	WebhookEventsRetryResponse,
	WebhookMiddlewaresCreateData,
	WebhookMiddlewaresCreateResponse,
	WebhookMiddlewaresDeleteData,
	WebhookMiddlewaresDeleteResponse,
	WebhookMiddlewaresListData,
	WebhookMiddlewaresListResponse,
	WebhookMiddlewaresReorderData,
	WebhookMiddlewaresReorderResponse,
	WebhookMiddlewaresTestData,
	WebhookMiddlewaresTestResponse,
	WebhookMiddlewaresUpdateData,
	WebhookMiddlewaresUpdateResponse,
	WebhookRoutingRulesCreateData,
	WebhookRoutingRulesCreateResponse,
	WebhookRoutingRulesDeleteData,
	WebhookRoutingRulesDeleteResponse,
	WebhookRoutingRulesListData,
	WebhookRoutingRulesListResponse,
	WebhookRoutingRulesSetModeData,
	WebhookRoutingRulesSetModeResponse,
	WebhookRoutingRulesTestData,
	WebhookRoutingRulesTestResponse,
	WebhookRoutingRulesUpdateData,
	WebhookRoutingRulesUpdateResponse,
} from './types.gen.ts';

/**
 * The operations of the API, grouped as in its description.
 */
export abstract class Api {
	declare readonly auth: {
		/**
		 * Make an account.
		 *
		 * `POST /v1/auth/register`
		 * @throws {ApiError} 400 `validation_error`; 403 `forbidden`; 409 `resource_exists`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		register(options: CallOptions<AuthRegisterData>): Promise<AuthRegisterResponse>;
		/**
		 * Sign in with email and password.
		 *
		 * `POST /v1/auth/login`
		 * @throws {ApiError} 400 `validation_error`; 401 `invalid_credentials`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		login(options: CallOptions<AuthLoginData>): Promise<AuthLoginResponse>;
		/**
		 * Exchange a refresh token for a new pair.
		 *
		 * `POST /v1/auth/refresh`
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		refresh(options?: CallOptions<AuthRefreshData>): Promise<AuthRefreshResponse>;
		/**
		 * The signed-in user.
		 *
		 * `GET /v1/auth/me`
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		me(options?: CallOptions<AuthMeData>): Promise<AuthMeResponse>;
		/**
		 * Change the password, and end every session.
		 *
		 * `POST /v1/auth/change-password`
		 * @throws {ApiError} 400 `validation_error`, `invalid_credentials`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		changePassword(options: CallOptions<AuthChangePasswordData>): Promise<AuthChangePasswordResponse>;
		/**
		 * End the session of a refresh token.
		 *
		 * `POST /v1/auth/logout`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		logout(options?: CallOptions<AuthLogoutData>): Promise<AuthLogoutResponse>;
	};
	declare readonly apiKeys: {
		/**
		 * Make an API key.
		 *
		 * `POST /v1/api-keys`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`, `plan_limit_reached`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		create(options: CallOptions<ApiKeysCreateData>): Promise<ApiKeysCreateResponse>;
		/**
		 * The caller's API keys.
		 *
		 * `GET /v1/api-keys`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		list(options?: CallOptions<ApiKeysListData>): Promise<ApiKeysListResponse>;
		/**
		 * One API key.
		 *
		 * `GET /v1/api-keys/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		get(options: CallOptions<ApiKeysGetData>): Promise<ApiKeysGetResponse>;
		/**
		 * Revoke an API key at once.
		 *
		 * `DELETE /v1/api-keys/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		delete(options: CallOptions<ApiKeysDeleteData>): Promise<ApiKeysDeleteResponse>;
	};
	declare readonly teams: {
		/**
		 * Teams of the caller.
		 *
		 * `GET /v1/teams`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		list(options?: CallOptions<TeamsListData>): Promise<TeamsListResponse>;
		/**
		 * Make a team.
		 *
		 * `POST /v1/teams`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		create(options: CallOptions<TeamsCreateData>): Promise<TeamsCreateResponse>;
		/**
		 * One team, with its members.
		 *
		 * `GET /v1/teams/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		get(options: CallOptions<TeamsGetData>): Promise<TeamsGetResponse>;
		/**
		 * Rename a team.
		 *
		 * `PUT /v1/teams/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		update(options: CallOptions<TeamsUpdateData>): Promise<TeamsUpdateResponse>;
		/**
		 * Delete a team and everything in it.
		 *
		 * `DELETE /v1/teams/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		delete(options: CallOptions<TeamsDeleteData>): Promise<TeamsDeleteResponse>;
		/**
		 * Make a team the caller's active one.
		 *
		 * `POST /v1/teams/{id}/activate`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		activate(options: CallOptions<TeamsActivateData>): Promise<TeamsActivateResponse>;
		readonly members: {
			/**
			 * Add a registered user to a team.
			 *
			 * `POST /v1/teams/{id}/members`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`, `resource_exists`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			add(options: CallOptions<TeamsMembersAddData>): Promise<TeamsMembersAddResponse>;
			/**
			 * Take a member out of a team.
			 *
			 * `DELETE /v1/teams/{id}/members/{user_id}`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			remove(options: CallOptions<TeamsMembersRemoveData>): Promise<TeamsMembersRemoveResponse>;
		};
		readonly invites: {
			/**
			 * Make a single-use invitation to register, valid for seven days.
			 *
			 * `POST /v1/teams/{id}/invites`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			create(options: CallOptions<TeamsInvitesCreateData>): Promise<TeamsInvitesCreateResponse>;
		};
	};
	declare readonly environment: {
		/**
		 * Make an environment variable.
		 *
		 * `POST /v1/environment`
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`, `resource_exists`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		create(options: CallOptions<EnvironmentCreateData>): Promise<EnvironmentCreateResponse>;
		/**
		 * Variables of the caller and of their teams.
		 *
		 * `GET /v1/environment`
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		list(options?: CallOptions<EnvironmentListData>): Promise<EnvironmentListResponse>;
		/**
		 * One variable, without its value.
		 *
		 * `GET /v1/environment/{id}`
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		get(options: CallOptions<EnvironmentGetData>): Promise<EnvironmentGetResponse>;
		/**
		 * Change value, description or scope of a variable.
		 *
		 * `PUT /v1/environment/{id}`
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		update(options: CallOptions<EnvironmentUpdateData>): Promise<EnvironmentUpdateResponse>;
		/**
		 * Delete a variable for good.
		 *
		 * `DELETE /v1/environment/{id}`
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		delete(options: CallOptions<EnvironmentDeleteData>): Promise<EnvironmentDeleteResponse>;
	};
	declare readonly mcp: {
		readonly servers: {
			/**
			 * Register an MCP server with the active team.
			 *
			 * `POST /v1/mcp/servers`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`, `plan_limit_reached`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			create(options: CallOptions<McpServersCreateData>): Promise<McpServersCreateResponse>;
			/**
			 * Servers of the active team.
			 *
			 * `GET /v1/mcp/servers`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options?: CallOptions<McpServersListData>): Promise<McpServersListResponse>;
			/**
			 * One server.
			 *
			 * `GET /v1/mcp/servers/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			get(options: CallOptions<McpServersGetData>): Promise<McpServersGetResponse>;
			/**
			 * Change a server.
			 *
			 * `PUT /v1/mcp/servers/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			update(options: CallOptions<McpServersUpdateData>): Promise<McpServersUpdateResponse>;
			/**
			 * Delete a server with its call logs, for good.
			 *
			 * `DELETE /v1/mcp/servers/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			delete(options: CallOptions<McpServersDeleteData>): Promise<McpServersDeleteResponse>;
			/**
			 * Give the server a new slug; the old one is gone at once.
			 *
			 * `POST /v1/mcp/servers/{id}/rotate-slug`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			rotateSlug(options: CallOptions<McpServersRotateSlugData>): Promise<McpServersRotateSlugResponse>;
			/**
			 * What a server cost in one month (UTC); without a month, the current one.
			 *
			 * `GET /v1/mcp/servers/{id}/costs`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			costs(options: CallOptions<McpServersCostsData>): Promise<McpServersCostsResponse>;
		};
		readonly calls: {
			/**
			 * Logged calls of the active team's servers, newest first.
			 *
			 * `GET /v1/mcp/calls`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options?: CallOptions<McpCallsListData>): Promise<McpCallsListResponse>;
			/**
			 * Every item of `list`, page by page as they are taken.
			 *
			 * Logged calls of the active team's servers, newest first.
			 *
			 * `GET /v1/mcp/calls`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			iterate(options?: IterateOptions<McpCallsListData>): Items<McpCallsListResponse>;
			/**
			 * How many calls match.
			 *
			 * `GET /v1/mcp/calls/count`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			count(options?: CallOptions<McpCallsCountData>): Promise<McpCallsCountResponse>;
			/**
			 * Counts, durations and costs of the last days.
			 *
			 * `GET /v1/mcp/calls/metrics`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			metrics(options?: CallOptions<McpCallsMetricsData>): Promise<McpCallsMetricsResponse>;
			/**
			 * One call with its whole bodies.
			 *
			 * `GET /v1/mcp/calls/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			get(options: CallOptions<McpCallsGetData>): Promise<McpCallsGetResponse>;
			/**
			 * Delete a logged call for good.
			 *
			 * `DELETE /v1/mcp/calls/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			delete(options: CallOptions<McpCallsDeleteData>): Promise<McpCallsDeleteResponse>;
		};
		readonly approvals: {
			/**
			 * Approvals of the caller and of the active team's servers.
			 *
			 * `GET /v1/mcp/approvals`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options?: CallOptions<McpApprovalsListData>): Promise<McpApprovalsListResponse>;
			/**
			 * One approval.
			 *
			 * `GET /v1/mcp/approvals/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			get(options: CallOptions<McpApprovalsGetData>): Promise<McpApprovalsGetResponse>;
			/**
			 * Let the held tool call proceed.
			 *
			 * `POST /v1/mcp/approvals/{id}/approve`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			approve(options: CallOptions<McpApprovalsApproveData>): Promise<McpApprovalsApproveResponse>;
			/**
			 * Block the held tool call.
			 *
			 * `POST /v1/mcp/approvals/{id}/reject`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			reject(options: CallOptions<McpApprovalsRejectData>): Promise<McpApprovalsRejectResponse>;
		};
	};
	declare readonly webhook: {
		readonly endpoints: {
			/**
			 * Make a webhook endpoint; its signing secret is shown whole this once.
			 *
			 * `POST /v1/webhook/endpoints`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`, `plan_limit_reached`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			create(options: CallOptions<WebhookEndpointsCreateData>): Promise<WebhookEndpointsCreateResponse>;
			/**
			 * Endpoints of the active team.
			 *
			 * `GET /v1/webhook/endpoints`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options?: CallOptions<WebhookEndpointsListData>): Promise<WebhookEndpointsListResponse>;
			/**
			 * One endpoint.
			 *
			 * `GET /v1/webhook/endpoints/{id}`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			get(options: CallOptions<WebhookEndpointsGetData>): Promise<WebhookEndpointsGetResponse>;
			/**
			 * Change an endpoint.
			 *
			 * `PUT /v1/webhook/endpoints/{id}`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			update(options: CallOptions<WebhookEndpointsUpdateData>): Promise<WebhookEndpointsUpdateResponse>;
			/**
			 * Delete an endpoint with its events, middleware and rules, for good.
			 *
			 * `DELETE /v1/webhook/endpoints/{id}`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			delete(options: CallOptions<WebhookEndpointsDeleteData>): Promise<WebhookEndpointsDeleteResponse>;
			/**
			 * Give the endpoint a new signing secret, shown whole this once; the old one signs beside it for 24 hours.
			 *
			 * `POST /v1/webhook/endpoints/{id}/rotate-secret`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			rotateSecret(options: CallOptions<WebhookEndpointsRotateSecretData>): Promise<WebhookEndpointsRotateSecretResponse>;
		};
		readonly middlewares: {
			/**
			 * Add a step that runs after the others, up to 50.
			 *
			 * `POST /v1/webhook/endpoints/{endpoint_id}/middlewares`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			create(options: CallOptions<WebhookMiddlewaresCreateData>): Promise<WebhookMiddlewaresCreateResponse>;
			/**
			 * All steps of an endpoint, in the order in which they run.
			 *
			 * `GET /v1/webhook/endpoints/{endpoint_id}/middlewares`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options: CallOptions<WebhookMiddlewaresListData>): Promise<WebhookMiddlewaresListResponse>;
			/**
			 * Put the endpoint's steps in another order.
			 *
			 * `PUT /v1/webhook/endpoints/{endpoint_id}/middlewares/reorder`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			reorder(options: CallOptions<WebhookMiddlewaresReorderData>): Promise<WebhookMiddlewaresReorderResponse>;
			/**
			 * Change a step.
			 *
			 * `PUT /v1/webhook/endpoints/{endpoint_id}/middlewares/{middleware_id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			update(options: CallOptions<WebhookMiddlewaresUpdateData>): Promise<WebhookMiddlewaresUpdateResponse>;
			/**
			 * Delete a step.
			 *
			 * `DELETE /v1/webhook/endpoints/{endpoint_id}/middlewares/{middleware_id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			delete(options: CallOptions<WebhookMiddlewaresDeleteData>): Promise<WebhookMiddlewaresDeleteResponse>;
			/**
			 * What the active steps would do with a webhook; nothing is delivered or remembered.
			 *
			 * `POST /v1/webhook/endpoints/{endpoint_id}/middlewares/test`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			test(options: CallOptions<WebhookMiddlewaresTestData>): Promise<WebhookMiddlewaresTestResponse>;
		};
		readonly routingRules: {
			/**
			 * Add a rule, up to 100 of an endpoint.
			 *
			 * `POST /v1/webhook/endpoints/{endpoint_id}/routing-rules`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			create(options: CallOptions<WebhookRoutingRulesCreateData>): Promise<WebhookRoutingRulesCreateResponse>;
			/**
			 * All rules of an endpoint, in the order in which they are judged.
			 *
			 * `GET /v1/webhook/endpoints/{endpoint_id}/routing-rules`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options: CallOptions<WebhookRoutingRulesListData>): Promise<WebhookRoutingRulesListResponse>;
			/**
			 * Change a rule; condition_source null takes its condition away.
			 *
			 * `PUT /v1/webhook/endpoints/{endpoint_id}/routing-rules/{rule_id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			update(options: CallOptions<WebhookRoutingRulesUpdateData>): Promise<WebhookRoutingRulesUpdateResponse>;
			/**
			 * Delete a rule.
			 *
			 * `DELETE /v1/webhook/endpoints/{endpoint_id}/routing-rules/{rule_id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			delete(options: CallOptions<WebhookRoutingRulesDeleteData>): Promise<WebhookRoutingRulesDeleteResponse>;
			/**
			 * Say who gets a webhook: the primary destination, the first rule that matches, each that does, or every one.
			 *
			 * `PUT /v1/webhook/endpoints/{endpoint_id}/routing-mode`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			setMode(options: CallOptions<WebhookRoutingRulesSetModeData>): Promise<WebhookRoutingRulesSetModeResponse>;
			/**
			 * Where a webhook would go, and why; nothing is delivered or remembered.
			 *
			 * `POST /v1/webhook/endpoints/{endpoint_id}/routing-rules/test`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			test(options: CallOptions<WebhookRoutingRulesTestData>): Promise<WebhookRoutingRulesTestResponse>;
		};
		readonly events: {
			/**
			 * Events of the active team's endpoints, newest first; bodies are cut to 4,096 characters.
			 *
			 * `GET /v1/webhook/events`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options?: CallOptions<WebhookEventsListData>): Promise<WebhookEventsListResponse>;
			/**
			 * Every item of `list`, page by page as they are taken.
			 *
			 * Events of the active team's endpoints, newest first; bodies are cut to 4,096 characters.
			 *
			 * `GET /v1/webhook/events`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			iterate(options?: IterateOptions<WebhookEventsListData>): Items<WebhookEventsListResponse>;
			/**
			 * Try the failed deliveries of all events that the filter of the list selects.
			 *
			 * `POST /v1/webhook/events/retry`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			retryAll(options?: CallOptions<WebhookEventsRetryAllData>): Promise<WebhookEventsRetryAllResponse>;
			/**
			 * Send all events that the filter of the list selects through today's pipeline again.
			 *
			 * `POST /v1/webhook/events/replay`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`, `plan_limit_reached`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			replayAll(options?: CallOptions<WebhookEventsReplayAllData>): Promise<WebhookEventsReplayAllResponse>;
			/**
			 * One event with its attempts.
			 *
			 * `GET /v1/webhook/events/{id}`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			get(options: CallOptions<WebhookEventsGetData>): Promise<WebhookEventsGetResponse>;
			/**
			 * Try the failed deliveries of an event again.
			 *
			 * `POST /v1/webhook/events/{id}/retry`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			retry(options: CallOptions<WebhookEventsRetryData>): Promise<WebhookEventsRetryResponse>;
			/**
			 * Send an event through today's pipeline again, as a new one.
			 *
			 * `POST /v1/webhook/events/{id}/replay`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`, `plan_limit_reached`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			replay(options: CallOptions<WebhookEventsReplayData>): Promise<WebhookEventsReplayResponse>;
		};
	};
	declare readonly cron: {
		readonly jobs: {
			/**
			 * Make a cron job; its command runs on the host of an agent.
			 *
			 * `POST /v1/cron-jobs`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`, `plan_limit_reached`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			create(options: CallOptions<CronJobsCreateData>): Promise<CronJobsCreateResponse>;
			/**
			 * The caller's jobs, newest first.
			 *
			 * `GET /v1/cron-jobs`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options?: CallOptions<CronJobsListData>): Promise<CronJobsListResponse>;
			/**
			 * Every item of `list`, page by page as they are taken.
			 *
			 * The caller's jobs, newest first.
			 *
			 * `GET /v1/cron-jobs`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			iterate(options?: IterateOptions<CronJobsListData>): Items<CronJobsListResponse>;
			/**
			 * When each enabled job runs next, soonest first.
			 *
			 * `GET /v1/cron-jobs/next`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			next(options?: CallOptions<CronJobsNextData>): Promise<CronJobsNextResponse>;
			/**
			 * Every item of `next`, page by page as they are taken.
			 *
			 * When each enabled job runs next, soonest first.
			 *
			 * `GET /v1/cron-jobs/next`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			iterateNext(options?: IterateOptions<CronJobsNextData>): Items<CronJobsNextResponse>;
			/**
			 * What a schedule means, and when it runs next.
			 *
			 * `POST /v1/cron-jobs/explain`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			explain(options: CallOptions<CronJobsExplainData>): Promise<CronJobsExplainResponse>;
			/**
			 * Whether a text is a schedule yet, and what it means: for forms, while somebody writes.
			 *
			 * `POST /v1/cron-jobs/check`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			check(options: CallOptions<CronJobsCheckData>): Promise<CronJobsCheckResponse>;
			/**
			 * One job.
			 *
			 * `GET /v1/cron-jobs/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			get(options: CallOptions<CronJobsGetData>): Promise<CronJobsGetResponse>;
			/**
			 * Change a job; what is left out stays as it is.
			 *
			 * `PUT /v1/cron-jobs/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			update(options: CallOptions<CronJobsUpdateData>): Promise<CronJobsUpdateResponse>;
			/**
			 * Delete a job with its executions, for good; what runs of it is killed.
			 *
			 * `DELETE /v1/cron-jobs/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			delete(options: CallOptions<CronJobsDeleteData>): Promise<CronJobsDeleteResponse>;
			/**
			 * Let the schedule of a job run it.
			 *
			 * `POST /v1/cron-jobs/{id}/enable`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			enable(options: CallOptions<CronJobsEnableData>): Promise<CronJobsEnableResponse>;
			/**
			 * Keep the schedule of a job from running it.
			 *
			 * `POST /v1/cron-jobs/{id}/disable`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			disable(options: CallOptions<CronJobsDisableData>): Promise<CronJobsDisableResponse>;
			/**
			 * Run a job now, whatever its schedule says and whether or not it is enabled.
			 *
			 * `POST /v1/cron-jobs/{id}/run`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			run(options: CallOptions<CronJobsRunData>): Promise<CronJobsRunResponse>;
		};
		readonly executions: {
			/**
			 * Runs of the caller's jobs, newest first; of each output the last 4 KiB.
			 *
			 * `GET /v1/cron-executions`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options?: CallOptions<CronExecutionsListData>): Promise<CronExecutionsListResponse>;
			/**
			 * Every item of `list`, page by page as they are taken.
			 *
			 * Runs of the caller's jobs, newest first; of each output the last 4 KiB.
			 *
			 * `GET /v1/cron-executions`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			iterate(options?: IterateOptions<CronExecutionsListData>): Items<CronExecutionsListResponse>;
			/**
			 * One run with all of its output that was kept.
			 *
			 * `GET /v1/cron-executions/{id}`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			get(options: CallOptions<CronExecutionsGetData>): Promise<CronExecutionsGetResponse>;
			/**
			 * End a run: its command is killed, or never begins.
			 *
			 * `POST /v1/cron-executions/{id}/cancel`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			cancel(options: CallOptions<CronExecutionsCancelData>): Promise<CronExecutionsCancelResponse>;
			/**
			 * Run the job of an ended run again, as it is now.
			 *
			 * `POST /v1/cron-executions/{id}/retry`, an extension of the specification
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			retry(options: CallOptions<CronExecutionsRetryData>): Promise<CronExecutionsRetryResponse>;
		};
		readonly chains: {
			/**
			 * Make a chain of cron jobs; each step runs on the outcome of the one before.
			 *
			 * `POST /v1/cron/chains`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			create(options: CallOptions<CronChainsCreateData>): Promise<CronChainsCreateResponse>;
			/**
			 * All of the caller's chains, newest first.
			 *
			 * `GET /v1/cron/chains`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			list(options?: CallOptions<CronChainsListData>): Promise<CronChainsListResponse>;
			/**
			 * One chain.
			 *
			 * `GET /v1/cron/chains/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			get(options: CallOptions<CronChainsGetData>): Promise<CronChainsGetResponse>;
			/**
			 * Change a chain; what is left out stays as it is, and steps, when given, take the place of all.
			 *
			 * `PUT /v1/cron/chains/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			update(options: CallOptions<CronChainsUpdateData>): Promise<CronChainsUpdateResponse>;
			/**
			 * Delete a chain with its steps and executions, for good; what runs of it is canceled first.
			 *
			 * `DELETE /v1/cron/chains/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			delete(options: CallOptions<CronChainsDeleteData>): Promise<CronChainsDeleteResponse>;
			/**
			 * Start a chain now, whether or not it is enabled or runs already.
			 *
			 * `POST /v1/cron/chains/{id}/run`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			run(options: CallOptions<CronChainsRunData>): Promise<CronChainsRunResponse>;
			/**
			 * What became of each start of a chain, newest first.
			 *
			 * `GET /v1/cron/chains/{id}/executions`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			executions(options: CallOptions<CronChainsExecutionsData>): Promise<CronChainsExecutionsResponse>;
			/**
			 * Every item of `executions`, page by page as they are taken.
			 *
			 * What became of each start of a chain, newest first.
			 *
			 * `GET /v1/cron/chains/{id}/executions`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			iterateExecutions(options: IterateOptions<CronChainsExecutionsData>): Items<CronChainsExecutionsResponse>;
		};
		readonly chainExecutions: {
			/**
			 * One execution of a chain, with its steps.
			 *
			 * `GET /v1/cron/chain-executions/{id}`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			get(options: CallOptions<CronChainExecutionsGetData>): Promise<CronChainExecutionsGetResponse>;
			/**
			 * End an execution of a chain: its command is killed, and no other step runs.
			 *
			 * `POST /v1/cron/chain-executions/{id}/cancel`
			 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
			 */
			cancel(options: CallOptions<CronChainExecutionsCancelData>): Promise<CronChainExecutionsCancelResponse>;
		};
	};
	declare readonly agents: {
		/**
		 * The caller's agents: the hosts that run commands, oldest first.
		 *
		 * `GET /v1/agents`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		list(options?: CallOptions<AgentsListData>): Promise<AgentsListResponse>;
		/**
		 * One agent.
		 *
		 * `GET /v1/agents/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		get(options: CallOptions<AgentsGetData>): Promise<AgentsGetResponse>;
		/**
		 * Rename an agent, or make it the default one.
		 *
		 * `PUT /v1/agents/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		update(options: CallOptions<AgentsUpdateData>): Promise<AgentsUpdateResponse>;
		/**
		 * Delete an agent; its jobs are the default agent's then.
		 *
		 * `DELETE /v1/agents/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		delete(options: CallOptions<AgentsDeleteData>): Promise<AgentsDeleteResponse>;
	};
	declare readonly notifications: {
		/**
		 * The caller's notifications, newest first.
		 *
		 * `GET /v1/notifications`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		list(options?: CallOptions<NotificationsListData>): Promise<NotificationsListResponse>;
		/**
		 * Every item of `list`, page by page as they are taken.
		 *
		 * The caller's notifications, newest first.
		 *
		 * `GET /v1/notifications`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		iterate(options?: IterateOptions<NotificationsListData>): Items<NotificationsListResponse>;
		/**
		 * How many of the caller's notifications are unread.
		 *
		 * `GET /v1/notifications/unread-count`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		unreadCount(options?: CallOptions<NotificationsUnreadCountData>): Promise<NotificationsUnreadCountResponse>;
		/**
		 * Mark all of the caller's notifications read.
		 *
		 * `PUT /v1/notifications/read-all`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		readAll(options?: CallOptions<NotificationsReadAllData>): Promise<NotificationsReadAllResponse>;
		/**
		 * Mark a notification read.
		 *
		 * `PUT /v1/notifications/{id}/read`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		read(options: CallOptions<NotificationsReadData>): Promise<NotificationsReadResponse>;
		/**
		 * Delete a notification.
		 *
		 * `DELETE /v1/notifications/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		delete(options: CallOptions<NotificationsDeleteData>): Promise<NotificationsDeleteResponse>;
		/**
		 * Give the caller a new secret that signs their webhook notifications; the old one signs beside it for 24 hours.
		 *
		 * `POST /v1/notifications/rotate-secret`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		rotateSecret(options?: CallOptions<NotificationsRotateSecretData>): Promise<NotificationsRotateSecretResponse>;
	};
	declare readonly notificationChannels: {
		/**
		 * Send the caller's notifications to a URL too, as messages of Slack or as webhooks, signed with the secret that `POST /v1/notifications/rotate-secret` shows.
		 *
		 * `POST /v1/notification-channels`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		create(options: CallOptions<NotificationChannelsCreateData>): Promise<NotificationChannelsCreateResponse>;
		/**
		 * The caller's notification channels, oldest first.
		 *
		 * `GET /v1/notification-channels`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		list(options?: CallOptions<NotificationChannelsListData>): Promise<NotificationChannelsListResponse>;
		/**
		 * One notification channel.
		 *
		 * `GET /v1/notification-channels/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		get(options: CallOptions<NotificationChannelsGetData>): Promise<NotificationChannelsGetResponse>;
		/**
		 * Change a notification channel; what is left out stays as it is.
		 *
		 * `PUT /v1/notification-channels/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		update(options: CallOptions<NotificationChannelsUpdateData>): Promise<NotificationChannelsUpdateResponse>;
		/**
		 * Delete a notification channel; what waits to be delivered there is given up.
		 *
		 * `DELETE /v1/notification-channels/{id}`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		delete(options: CallOptions<NotificationChannelsDeleteData>): Promise<NotificationChannelsDeleteResponse>;
		/**
		 * Send a test to a notification channel as real notifications are sent, but once: what came of it stands in the event. At most 6 a minute for all channels of a user.
		 *
		 * `POST /v1/notification-channels/{id}/test`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 409 `conflict`; 413 `payload_too_large`; 415 `unsupported_media_type`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		test(options: CallOptions<NotificationChannelsTestData>): Promise<NotificationChannelsTestResponse>;
	};
	declare readonly audit: {
		/**
		 * Who changed what in the active team, newest first.
		 *
		 * `GET /v1/audit`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		list(options?: CallOptions<AuditListData>): Promise<AuditListResponse>;
		/**
		 * Every item of `list`, page by page as they are taken.
		 *
		 * Who changed what in the active team, newest first.
		 *
		 * `GET /v1/audit`, an extension of the specification
		 * @throws {ApiError} 400 `validation_error`; 401 `authentication_required`, `invalid_token`, `token_expired`; 403 `forbidden`; 404 `resource_not_found`; 429 `rate_limited`; 500 `internal_error`; 503 `service_unavailable`
		 */
		iterate(options?: IterateOptions<AuditListData>): Items<AuditListResponse>;
	};
}

/**
 * What each operation answers besides its success, by status.
 */
export interface OperationErrors {
	'auth.register': Refusal<400, 'validation_error'> | Refusal<403, 'forbidden'> | Refusal<409, 'resource_exists'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'auth.login': Refusal<400, 'validation_error'> | Refusal<401, 'invalid_credentials'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'auth.refresh': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'auth.me': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'auth.changePassword': Refusal<400, 'validation_error' | 'invalid_credentials'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'auth.logout': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'apiKeys.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden' | 'plan_limit_reached'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'apiKeys.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'apiKeys.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'apiKeys.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'teams.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'teams.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'teams.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'teams.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'teams.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'teams.members.add': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict' | 'resource_exists'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'teams.members.remove': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'teams.activate': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'teams.invites.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'environment.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict' | 'resource_exists'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'environment.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'environment.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'environment.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'environment.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.servers.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden' | 'plan_limit_reached'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.servers.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.servers.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.servers.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.servers.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.servers.rotateSlug': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.servers.costs': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.calls.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.calls.count': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.calls.metrics': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.calls.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.calls.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.approvals.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.approvals.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.approvals.approve': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'mcp.approvals.reject': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.endpoints.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden' | 'plan_limit_reached'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.endpoints.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.endpoints.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.endpoints.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.endpoints.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.endpoints.rotateSecret': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.middlewares.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.middlewares.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.middlewares.reorder': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.middlewares.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.middlewares.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.middlewares.test': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.routingRules.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.routingRules.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.routingRules.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.routingRules.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.routingRules.setMode': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.routingRules.test': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.events.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.events.retryAll': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.events.replayAll': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden' | 'plan_limit_reached'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.events.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.events.retry': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'webhook.events.replay': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden' | 'plan_limit_reached'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden' | 'plan_limit_reached'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.next': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.explain': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.check': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.enable': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.disable': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.jobs.run': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.executions.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.executions.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.executions.cancel': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.executions.retry': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.chains.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.chains.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.chains.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.chains.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.chains.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.chains.run': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.chains.executions': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.chainExecutions.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'cron.chainExecutions.cancel': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'agents.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'agents.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'agents.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'agents.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notifications.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notifications.unreadCount': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notifications.readAll': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notifications.read': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notifications.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notifications.rotateSecret': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notificationChannels.create': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notificationChannels.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notificationChannels.get': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notificationChannels.update': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notificationChannels.delete': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'notificationChannels.test': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<409, 'conflict'> | Refusal<413, 'payload_too_large'> | Refusal<415, 'unsupported_media_type'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
	'audit.list': Refusal<400, 'validation_error'> | Refusal<401, 'authentication_required' | 'invalid_token' | 'token_expired'> | Refusal<403, 'forbidden'> | Refusal<404, 'resource_not_found'> | Refusal<429, 'rate_limited'> | Refusal<500, 'internal_error'> | Refusal<503, 'service_unavailable'>;
}

/**
 * What a request of each operation is made of.
 */
export const operations: readonly OperationRow[] = [
	['auth.register', 'POST', '/v1/auth/register', 0, true],
	['auth.login', 'POST', '/v1/auth/login', 0, true],
	['auth.refresh', 'POST', '/v1/auth/refresh', 0, true],
	['auth.me', 'GET', '/v1/auth/me'],
	['auth.changePassword', 'POST', '/v1/auth/change-password'],
	['auth.logout', 'POST', '/v1/auth/logout', 0, true],
	['apiKeys.create', 'POST', '/v1/api-keys'],
	['apiKeys.list', 'GET', '/v1/api-keys'],
	['apiKeys.get', 'GET', '/v1/api-keys/{id}'],
	['apiKeys.delete', 'DELETE', '/v1/api-keys/{id}'],
	['teams.list', 'GET', '/v1/teams'],
	['teams.create', 'POST', '/v1/teams'],
	['teams.get', 'GET', '/v1/teams/{id}'],
	['teams.update', 'PUT', '/v1/teams/{id}'],
	['teams.delete', 'DELETE', '/v1/teams/{id}'],
	['teams.members.add', 'POST', '/v1/teams/{id}/members'],
	['teams.members.remove', 'DELETE', '/v1/teams/{id}/members/{user_id}'],
	['teams.activate', 'POST', '/v1/teams/{id}/activate'],
	['teams.invites.create', 'POST', '/v1/teams/{id}/invites'],
	['environment.create', 'POST', '/v1/environment'],
	['environment.list', 'GET', '/v1/environment'],
	['environment.get', 'GET', '/v1/environment/{id}'],
	['environment.update', 'PUT', '/v1/environment/{id}'],
	['environment.delete', 'DELETE', '/v1/environment/{id}'],
	['mcp.servers.create', 'POST', '/v1/mcp/servers'],
	['mcp.servers.list', 'GET', '/v1/mcp/servers'],
	['mcp.servers.get', 'GET', '/v1/mcp/servers/{id}'],
	['mcp.servers.update', 'PUT', '/v1/mcp/servers/{id}'],
	['mcp.servers.delete', 'DELETE', '/v1/mcp/servers/{id}'],
	['mcp.servers.rotateSlug', 'POST', '/v1/mcp/servers/{id}/rotate-slug'],
	['mcp.servers.costs', 'GET', '/v1/mcp/servers/{id}/costs'],
	['mcp.calls.list', 'GET', '/v1/mcp/calls', 100],
	['mcp.calls.count', 'GET', '/v1/mcp/calls/count'],
	['mcp.calls.metrics', 'GET', '/v1/mcp/calls/metrics'],
	['mcp.calls.get', 'GET', '/v1/mcp/calls/{id}'],
	['mcp.calls.delete', 'DELETE', '/v1/mcp/calls/{id}'],
	['mcp.approvals.list', 'GET', '/v1/mcp/approvals'],
	['mcp.approvals.get', 'GET', '/v1/mcp/approvals/{id}'],
	['mcp.approvals.approve', 'POST', '/v1/mcp/approvals/{id}/approve'],
	['mcp.approvals.reject', 'POST', '/v1/mcp/approvals/{id}/reject'],
	['webhook.endpoints.create', 'POST', '/v1/webhook/endpoints'],
	['webhook.endpoints.list', 'GET', '/v1/webhook/endpoints'],
	['webhook.endpoints.get', 'GET', '/v1/webhook/endpoints/{id}'],
	['webhook.endpoints.update', 'PUT', '/v1/webhook/endpoints/{id}'],
	['webhook.endpoints.delete', 'DELETE', '/v1/webhook/endpoints/{id}'],
	['webhook.endpoints.rotateSecret', 'POST', '/v1/webhook/endpoints/{id}/rotate-secret'],
	['webhook.middlewares.create', 'POST', '/v1/webhook/endpoints/{endpoint_id}/middlewares'],
	['webhook.middlewares.list', 'GET', '/v1/webhook/endpoints/{endpoint_id}/middlewares'],
	['webhook.middlewares.reorder', 'PUT', '/v1/webhook/endpoints/{endpoint_id}/middlewares/reorder'],
	['webhook.middlewares.update', 'PUT', '/v1/webhook/endpoints/{endpoint_id}/middlewares/{middleware_id}'],
	['webhook.middlewares.delete', 'DELETE', '/v1/webhook/endpoints/{endpoint_id}/middlewares/{middleware_id}'],
	['webhook.middlewares.test', 'POST', '/v1/webhook/endpoints/{endpoint_id}/middlewares/test'],
	['webhook.routingRules.create', 'POST', '/v1/webhook/endpoints/{endpoint_id}/routing-rules'],
	['webhook.routingRules.list', 'GET', '/v1/webhook/endpoints/{endpoint_id}/routing-rules'],
	['webhook.routingRules.update', 'PUT', '/v1/webhook/endpoints/{endpoint_id}/routing-rules/{rule_id}'],
	['webhook.routingRules.delete', 'DELETE', '/v1/webhook/endpoints/{endpoint_id}/routing-rules/{rule_id}'],
	['webhook.routingRules.setMode', 'PUT', '/v1/webhook/endpoints/{endpoint_id}/routing-mode'],
	['webhook.routingRules.test', 'POST', '/v1/webhook/endpoints/{endpoint_id}/routing-rules/test'],
	['webhook.events.list', 'GET', '/v1/webhook/events', 100],
	['webhook.events.retryAll', 'POST', '/v1/webhook/events/retry'],
	['webhook.events.replayAll', 'POST', '/v1/webhook/events/replay'],
	['webhook.events.get', 'GET', '/v1/webhook/events/{id}'],
	['webhook.events.retry', 'POST', '/v1/webhook/events/{id}/retry'],
	['webhook.events.replay', 'POST', '/v1/webhook/events/{id}/replay'],
	['cron.jobs.create', 'POST', '/v1/cron-jobs'],
	['cron.jobs.list', 'GET', '/v1/cron-jobs', 100],
	['cron.jobs.next', 'GET', '/v1/cron-jobs/next', 1000],
	['cron.jobs.explain', 'POST', '/v1/cron-jobs/explain'],
	['cron.jobs.check', 'POST', '/v1/cron-jobs/check'],
	['cron.jobs.get', 'GET', '/v1/cron-jobs/{id}'],
	['cron.jobs.update', 'PUT', '/v1/cron-jobs/{id}'],
	['cron.jobs.delete', 'DELETE', '/v1/cron-jobs/{id}'],
	['cron.jobs.enable', 'POST', '/v1/cron-jobs/{id}/enable'],
	['cron.jobs.disable', 'POST', '/v1/cron-jobs/{id}/disable'],
	['cron.jobs.run', 'POST', '/v1/cron-jobs/{id}/run'],
	['cron.executions.list', 'GET', '/v1/cron-executions', 100],
	['cron.executions.get', 'GET', '/v1/cron-executions/{id}'],
	['cron.executions.cancel', 'POST', '/v1/cron-executions/{id}/cancel'],
	['cron.executions.retry', 'POST', '/v1/cron-executions/{id}/retry'],
	['cron.chains.create', 'POST', '/v1/cron/chains'],
	['cron.chains.list', 'GET', '/v1/cron/chains'],
	['cron.chains.get', 'GET', '/v1/cron/chains/{id}'],
	['cron.chains.update', 'PUT', '/v1/cron/chains/{id}'],
	['cron.chains.delete', 'DELETE', '/v1/cron/chains/{id}'],
	['cron.chains.run', 'POST', '/v1/cron/chains/{id}/run'],
	['cron.chains.executions', 'GET', '/v1/cron/chains/{id}/executions', 100],
	['cron.chainExecutions.get', 'GET', '/v1/cron/chain-executions/{id}'],
	['cron.chainExecutions.cancel', 'POST', '/v1/cron/chain-executions/{id}/cancel'],
	['agents.list', 'GET', '/v1/agents'],
	['agents.get', 'GET', '/v1/agents/{id}'],
	['agents.update', 'PUT', '/v1/agents/{id}'],
	['agents.delete', 'DELETE', '/v1/agents/{id}'],
	['notifications.list', 'GET', '/v1/notifications', 100],
	['notifications.unreadCount', 'GET', '/v1/notifications/unread-count'],
	['notifications.readAll', 'PUT', '/v1/notifications/read-all'],
	['notifications.read', 'PUT', '/v1/notifications/{id}/read'],
	['notifications.delete', 'DELETE', '/v1/notifications/{id}'],
	['notifications.rotateSecret', 'POST', '/v1/notifications/rotate-secret'],
	['notificationChannels.create', 'POST', '/v1/notification-channels'],
	['notificationChannels.list', 'GET', '/v1/notification-channels'],
	['notificationChannels.get', 'GET', '/v1/notification-channels/{id}'],
	['notificationChannels.update', 'PUT', '/v1/notification-channels/{id}'],
	['notificationChannels.delete', 'DELETE', '/v1/notification-channels/{id}'],
	['notificationChannels.test', 'POST', '/v1/notification-channels/{id}/test'],
	['audit.list', 'GET', '/v1/audit', 100],
];

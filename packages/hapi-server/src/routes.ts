import {apiKeyRoutes} from './accounts/api-keys.routes.ts';
import {authRoutes} from './accounts/auth.routes.ts';
import {teamRoutes} from './accounts/teams.routes.ts';
import {agentRoutes} from './cron/agents.routes.ts';
import {cronChainExecutionRoutes} from './cron/chain-executions.routes.ts';
import {cronChainRoutes} from './cron/chains.routes.ts';
import {cronExecutionRoutes} from './cron/executions.routes.ts';
import {cronJobRoutes} from './cron/jobs.routes.ts';
import {variableRoutes} from './environment/variables.routes.ts';
import type {Route} from './http/define-route.ts';
import {auditRoutes} from './live/audit.routes.ts';
import {noticeRoutes} from './live/notices.routes.ts';
import {notificationChannelRoutes} from './live/notification-channels.routes.ts';
import {notificationRoutes} from './live/notifications.routes.ts';
import {streamRoutes} from './live/stream.routes.ts';
import {approvalRoutes} from './mcp/approvals.routes.ts';
import {callRoutes} from './mcp/calls.routes.ts';
import {serverRoutes} from './mcp/servers.routes.ts';
import {endpointRoutes} from './webhook/endpoints.routes.ts';
import {eventRoutes} from './webhook/events.routes.ts';
import {middlewareRoutes} from './webhook/middlewares.routes.ts';
import {routingRuleRoutes} from './webhook/routing-rules.routes.ts';

/** The route table: every operation of the API, in the order in which it is described. */
export const routes: readonly Route[] = [
	...authRoutes,
	...apiKeyRoutes,
	...teamRoutes,
	...variableRoutes,
	...serverRoutes,
	...callRoutes,
	...approvalRoutes,
	...endpointRoutes,
	...middlewareRoutes,
	...routingRuleRoutes,
	...eventRoutes,
	...cronJobRoutes,
	...cronExecutionRoutes,
	...cronChainRoutes,
	...cronChainExecutionRoutes,
	...agentRoutes,
	...notificationRoutes,
	...noticeRoutes,
	...notificationChannelRoutes,
	...streamRoutes,
	...auditRoutes,
];

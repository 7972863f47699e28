import {approvals} from './approvals/routes.ts';
import type {Area} from './area.ts';
import {cron} from './cron/routes.ts';
import {mcp} from './mcp/routes.ts';
import {settings} from './settings/routes.ts';
import {start} from './start/routes.ts';
import {webhooks} from './webhooks/routes.ts';

/** Everything that has a page, in the order of the navigation. */
export const areas: readonly Area[] = [approvals, mcp, webhooks, cron, settings, start];

import type {McpServer} from '@signalbox/client-sdk';
import type {ComponentChildren} from 'preact';
import {Pill} from '../parts/pill.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {approvalWords, durationText, logWords} from './server-words.ts';

const Fact = ({name, children}: {name: string; children: ComponentChildren}) => (
	<>
		<dt>{name}</dt>
		<dd>{children}</dd>
	</>
);

/** Which calls wait. */
export const ApprovalsCard = ({server: {approval_config}}: {server: McpServer}) => (
	<section class="card" aria-labelledby="approvals">
		<div class="card-head">
			<h2 id="approvals">Approvals</h2>
			<Pill tone={approval_config.enabled ? 'live' : 'idle'}>{approval_config.enabled ? 'On' : 'Off'}</Pill>
		</div>
		<div class="card-body stack">
			<p class="soft">{approvalWords(approval_config)}</p>
			{approval_config.rules.length > 0 && (
				<ol class="stack tight">
					{approval_config.rules.map(({pattern, action}) => (
						<li key={pattern} class="pair">
							<code class="truncate">
								<VisibleText text={pattern} />
							</code>
							<Pill tone={action === 'require' ? 'warn' : 'good'}>{action === 'require' ? 'Waits' : 'Runs'}</Pill>
						</li>
					))}
				</ol>
			)}
			{approval_config.enabled && (
				<p class="small faint">
					A call waits for {durationText(approval_config.ttl_seconds * 1000)} at most. The first rule that matches
					decides.
				</p>
			)}
		</div>
	</section>
);

const rateWords = ({requests_per_minute, burst}: McpServer['rate_limit_config']): string => {
	if (requests_per_minute === undefined) return 'Not limited';
	return `${requests_per_minute} a minute${burst === undefined ? '' : `, ${burst} at once`}`;
};

/** Everything else that people chose. */
export const SettingsCard = ({server}: {server: McpServer}) => (
	<section class="card" aria-labelledby="settings">
		<div class="card-head">
			<h2 id="settings">Settings</h2>
			<a class="button small" href={`/mcp/servers/${server.id}/edit`}>
				Edit
			</a>
		</div>
		<div class="card-body">
			<dl class="facts">
				<Fact name="Upstream">
					<code>
						<VisibleText text={server.target_url} />
					</code>
				</Fact>
				<Fact name="Callers">{server.require_auth ? 'With an API key' : 'Whoever has the address'}</Fact>
				<Fact name="Rate">{rateWords(server.rate_limit_config)}</Fact>
				<Fact name="Bodies in the log">{logWords[server.log_bodies.mode]}</Fact>
				{Object.keys(server.upstream_headers).length > 0 && (
					<Fact name="Headers added">{Object.keys(server.upstream_headers).join(', ')}</Fact>
				)}
			</dl>
		</div>
	</section>
);

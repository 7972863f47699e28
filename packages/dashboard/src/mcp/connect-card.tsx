import type {McpServer} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {CopyButton} from '../parts/copy-button.tsx';
import {proxyUrl} from '../session/addresses.ts';
import {clientConfigurations} from './client-configurations.ts';

/** How to point an MCP client at the server, ready to paste. */
export const ConnectCard = ({server}: {server: McpServer}) => {
	const {name, slug, require_auth: requiresKey} = server;
	const configurations = clientConfigurations({name, url: `${proxyUrl}/p/${slug}`, requiresKey});
	const [chosen, choose] = useState(0);
	const shown = configurations[chosen];
	return (
		<section class="card" aria-labelledby="connect">
			<div class="card-head">
				<h2 id="connect">Connect a client</h2>
			</div>
			<div class="card-body stack">
				<div class="tabs" role="tablist" aria-label="Clients">
					{configurations.map(({client}, at) => (
						<button
							key={client}
							type="button"
							role="tab"
							aria-selected={at === chosen}
							aria-controls="configuration"
							onClick={() => choose(at)}
						>
							{client}
						</button>
					))}
				</div>
				{shown && (
					<div id="configuration" role="tabpanel" class="stack tight" aria-label={shown.client}>
						<div class="row apart">
							<p class="soft">{shown.how}</p>
							<CopyButton text={shown.text} />
						</div>
						<pre class="snippet">{shown.text}</pre>
					</div>
				)}
				{requiresKey ? (
					<p class="small soft">
						Callers need an API key with the scope <code>proxy</code>: <a href="/settings/api-keys">make one</a>.
					</p>
				) : (
					<p class="small soft">Whoever has this address can call. Treat it as a secret.</p>
				)}
			</div>
		</section>
	);
};

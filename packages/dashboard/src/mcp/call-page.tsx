import './mcp.css';
import type {McpCall} from '@signalbox/client-sdk';
import type {ComponentChildren} from 'preact';
import {useState} from 'preact/hooks';
import {useLocation, useRoute} from 'preact-iso';
import {useResource} from '../live/use-resource.ts';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Icon} from '../parts/icon.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TextViewer, VisibleText} from '../parts/text-viewer.tsx';
import {exactTime} from '../parts/time.tsx';
import {client} from '../session/client.ts';
import {CallState} from './call-state.tsx';
import {durationText, moneyText} from './server-words.ts';
import {useServers} from './use-servers.ts';

const Fact = ({name, children}: {name: string; children: ComponentChildren}) => (
	<>
		<dt>{name}</dt>
		<dd>{children}</dd>
	</>
);

const Facts = ({call}: {call: McpCall}) => {
	const {nameOf} = useServers();
	return (
		<dl class="facts">
			<Fact name="Server">
				<a href={`/mcp/servers/${call.mcp_server_id}`}>{nameOf(call.mcp_server_id)}</a>
			</Fact>
			<Fact name="Method">
				<code>
					<VisibleText text={call.method} />
				</code>
			</Fact>
			<Fact name="When">
				<time dateTime={call.created_at}>{exactTime(call.created_at)}</time>
			</Fact>
			<Fact name="Took">
				<span class="number">{durationText(call.duration_ms)}</span>
			</Fact>
			<Fact name="HTTP status">
				<span class="number">{call.status_code}</span>
			</Fact>
			{call.cost_cents > 0 && <Fact name="Cost">{moneyText(call.cost_cents)}</Fact>}
			<Fact name="From">
				<code>{call.source_ip}</code>
			</Fact>
			{call.approval_id !== null && (
				<Fact name="Approval">
					<a href={`/approvals/${call.approval_id}`}>who decided it</a>
				</Fact>
			)}
			{call.error_message !== '' && (
				<Fact name="Error">
					<VisibleText text={call.error_message} />
				</Fact>
			)}
		</dl>
	);
};

const Body = ({title, text}: {title: string; text: string}) => (
	<section class="stack tight" aria-label={title}>
		<h2>{title}</h2>
		{text === '' ? <p class="soft">Empty, or not kept in the log.</p> : <TextViewer text={text} label={title} />}
	</section>
);

const DeleteQuestion = ({id, onClose}: {id: string; onClose: () => void}) => {
	const {route} = useLocation();
	return (
		<ConfirmDialog
			title="Delete this call from the log?"
			action="Delete"
			onClose={onClose}
			onConfirm={async () => {
				await client.mcp.calls.delete({path: {id}});
				route('/mcp/calls', true);
			}}
		>
			What was asked and answered is gone then, and the metrics count one call less. That it was deleted, and by whom,
			stays on record.
		</ConfirmDialog>
	);
};

const Call = ({call}: {call: McpCall}) => (
	<div class="stack loose">
		<div class="card">
			<div class="card-body">
				<Facts call={call} />
			</div>
		</div>
		<Body title="Request" text={call.request_body} />
		<Body title="Response" text={call.response_body} />
		<Body title="Request headers" text={JSON.stringify(call.headers)} />
	</div>
);

export default () => {
	const {id = ''} = useRoute().params;
	const {data, error, reload} = useResource(`mcp/call/${id}`, () => client.mcp.calls.get({path: {id}}));
	const [asked, ask] = useState(false);
	return (
		<div class="page">
			<div class="page-head">
				<div class="call-title">
					<a class="crumb" href="/mcp/calls">
						<Icon name="back" />
						Calls
					</a>
					<div class="row">
						<h1 class="tool-heading">{data ? <VisibleText text={data.tool_name || data.method} /> : 'Call'}</h1>
						{data && <CallState status={data.status} />}
					</div>
				</div>
				{data && (
					<button type="button" class="button danger" onClick={() => ask(true)}>
						Delete
					</button>
				)}
			</div>
			{error !== undefined && <ErrorNotice error={error} retry={reload} />}
			{data === undefined && error === undefined && (
				<div class="card">
					<div class="card-body">
						<Skeleton lines={10} label="Loading the call" />
					</div>
				</div>
			)}
			{data && <Call call={data} />}
			{asked && <DeleteQuestion id={id} onClose={() => ask(false)} />}
		</div>
	);
};

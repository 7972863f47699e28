import type {ComponentChildren} from 'preact';
import {useId} from 'preact/hooks';
import {Icon} from '../parts/icon.tsx';
import {showDone, showProblem} from '../parts/toasts.tsx';
import {client} from '../session/client.ts';
import {sampleFrom, sampleOf, writeSample} from './sample.ts';

const takeLast = async (endpointId: string): Promise<void> => {
	const {data} = await client.webhook.events.list({query: {endpoint_id: endpointId, limit: 1}});
	const [newest] = data;
	if (newest === undefined) {
		showDone('No webhook has come in yet.');
		return;
	}
	writeSample(endpointId, sampleFrom(await client.webhook.events.get({path: {id: newest.id}})));
};

type WrittenProps = Readonly<{label: string; value: string; rows: number; onInput: (text: string) => void}>;

const Written = ({label, value, rows, onInput}: WrittenProps) => {
	const id = useId();
	return (
		<div class="field">
			<label htmlFor={id}>{label}</label>
			<textarea
				id={id}
				class="input mono"
				rows={rows}
				value={value}
				spellcheck={false}
				onInput={(event) => onInput(event.currentTarget.value)}
			/>
		</div>
	);
};

/** A webhook to try, beside what comes of it. */
export const SampleEditor = ({endpointId, children}: {endpointId: string; children: ComponentChildren}) => {
	const {headers, body} = sampleOf(endpointId);
	return (
		<section class="card" aria-label="Live test">
			<div class="card-head">
				<h2>Live test</h2>
				<button type="button" class="button small quiet" onClick={() => void takeLast(endpointId).catch(showProblem)}>
					<Icon name="reload" />
					Take the last webhook
				</button>
			</div>
			<div class="card-body stack">
				<p class="small soft">Nothing is delivered: write a webhook, and see what would become of it.</p>
				<Written
					label="Headers"
					value={headers}
					rows={2}
					onInput={(text) => writeSample(endpointId, {headers: text})}
				/>
				<Written label="Body" value={body} rows={6} onInput={(text) => writeSample(endpointId, {body: text})} />
				{children}
			</div>
		</section>
	);
};

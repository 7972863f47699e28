import type {PipelineTrace} from '@signalbox/client-sdk';
import {Pill, type Tone} from '../parts/pill.tsx';
import {secondsInWords} from '../parts/seconds.ts';
import {TextViewer, VisibleText} from '../parts/text-viewer.tsx';
import {type Change, type Message, messageAfter} from './message-changes.ts';
import {stepKinds} from './step-kinds.ts';

type Outcome = PipelineTrace['outcome'];
type Step = PipelineTrace['steps'][number];

/** What kind of step it is, where its name does not say so. */
export const KindOf = ({step: {name, type}}: {step: Pick<Step, 'name' | 'type'>}) => (
	<>{name === stepKinds[type].name ? '' : `${stepKinds[type].name}: `}</>
);

const outcomes: Readonly<Record<Outcome, readonly [Tone, string]>> = {
	passed: ['good', 'Passed'],
	blocked: ['warn', 'Stopped here'],
	duplicate: ['warn', 'Duplicate'],
	error: ['bad', 'Failed'],
};

const verdicts: Readonly<Record<Outcome, string>> = {
	passed: 'It passes all steps.',
	blocked: 'A filter stops it: it is kept, and not delivered.',
	duplicate: 'It is a duplicate: it is kept, and not delivered.',
	error: 'A step cannot be done with it: it is kept, and not delivered.',
};

const signs = {added: '+', changed: '~', removed: '−'};
const shownChanges = 12;
const longestValue = 120;

const shortened = (value: string): string => (value.length > longestValue ? `${value.slice(0, longestValue)}…` : value);

const ChangeLine = ({change: {kind, place, value}}: {change: Change}) => (
	<li class={`change ${kind}`}>
		<span aria-hidden="true">{signs[kind]}</span>
		<span class="visually-hidden">{kind}: </span>
		<code>
			<VisibleText text={place} />{' '}
			{kind === 'removed' ? (
				<s>
					<VisibleText text={shortened(value)} />
				</s>
			) : (
				<VisibleText text={shortened(value)} />
			)}
		</code>
	</li>
);

const Changes = ({changes}: {changes: readonly Change[]}) => {
	if (changes.length === 0) return null;
	return (
		<ul class="changes">
			{changes.slice(0, shownChanges).map((change) => (
				<ChangeLine key={`${change.kind} ${change.place}`} change={change} />
			))}
			{changes.length > shownChanges && <li class="small soft">and {changes.length - shownChanges} more</li>}
		</ul>
	);
};

const StepEffect = ({step, changes}: {step: Step; changes: readonly Change[]}) => {
	const [tone, word] = outcomes[step.outcome];
	return (
		<li class={`effect ${step.outcome}`}>
			<div class="row apart">
				<span class="strong">
					<VisibleText text={step.name} />
				</span>
				<Pill tone={tone}>{word}</Pill>
			</div>
			<p class="small soft">
				<KindOf step={step} />
				<VisibleText text={step.message} />
			</p>
			<Changes changes={changes} />
		</li>
	);
};

/** Each step with the message before and after it. */
const withChanges = (received: Message, steps: readonly Step[]) => {
	let message = received;
	return steps.map((step) => {
		const {after, changes} = messageAfter(message, step);
		message = after;
		return {step, changes};
	});
};

type Props = Readonly<{received: Message; trace: PipelineTrace}>;

/** What each step made of a webhook, in order. */
export const StepEffects = ({received, trace}: Props) => (
	<div class="stack tight">
		<p role="status">
			{verdicts[trace.outcome]}
			{trace.delay_seconds > 0 && ` It waits ${secondsInWords(trace.delay_seconds)}.`}
		</p>
		{trace.steps.length > 0 && (
			<ol class="effects">
				{withChanges(received, trace.steps).map(({step, changes}) => (
					<StepEffect key={step.middleware_id} step={step} changes={changes} />
				))}
			</ol>
		)}
	</div>
);

type Traced = PipelineTrace['result'];

/** A message as a trace shows it. */
export const TracedMessage = ({message, label}: {message: Traced; label: string}) => (
	<div class="stack tight">
		<MessageHeaders headers={message.headers} />
		<TextViewer text={message.body} label={label} />
		{message.body_truncated && <p class="small soft">A trace shows the beginning of a long body.</p>}
	</div>
);

/** The message as it leaves the last step. */
export const Result = ({result}: {result: Traced}) => (
	<details class="fold">
		<summary>The webhook after the last step</summary>
		<TracedMessage message={result} label="Body after the last step" />
	</details>
);

export const MessageHeaders = ({headers}: Pick<Message, 'headers'>) => {
	const entries = Object.entries(headers);
	if (entries.length === 0) return <p class="small soft">No headers.</p>;
	return (
		<dl class="header-list">
			{entries.map(([name, value]) => (
				<div key={name}>
					<dt>
						<VisibleText text={name} />
					</dt>
					<dd>
						<VisibleText text={value} />
					</dd>
				</div>
			))}
		</dl>
	);
};

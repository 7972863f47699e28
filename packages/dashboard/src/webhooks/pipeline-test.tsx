import type {Middleware} from '@signalbox/client-sdk';
import {useTrial} from '../live/use-trial.ts';
import {ErrorNotice} from '../parts/error-notice.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {client} from '../session/client.ts';
import {asSent, sampleOf} from './sample.ts';
import {SampleEditor} from './sample-editor.tsx';
import {Result, StepEffects} from './step-effects.tsx';

type Props = Readonly<{endpointId: string; steps: readonly Middleware[]}>;

/** Takes the sample through the steps as they are now, whenever either changes. */
export const PipelineTest = ({endpointId, steps}: Props) => {
	const sample = asSent(sampleOf(endpointId));
	const {result, error, isRunning} = useTrial(
		async () => {
			const trace = await client.webhook.middlewares.test({path: {endpoint_id: endpointId}, body: sample});
			return {trace, received: {headers: sample.headers ?? {}, body: String(sample.body)}};
		},
		JSON.stringify([sample, steps]),
	);
	return (
		<SampleEditor endpointId={endpointId}>
			<div class="stack tight" aria-busy={isRunning}>
				<h3>What each step does</h3>
				{error !== undefined && <ErrorNotice error={error} />}
				{result === undefined && error === undefined && <Skeleton lines={4} label="Trying the webhook" />}
				{result && <StepEffects {...result} />}
				{result?.trace.steps.length === 0 && <p class="small soft">There is no active step: it goes on as it came.</p>}
				{result?.trace.outcome === 'passed' && <Result result={result.trace.result} />}
			</div>
		</SampleEditor>
	);
};

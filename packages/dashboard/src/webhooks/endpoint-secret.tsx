import {signal} from '@preact/signals';
import type {WebhookEndpoint} from '@signalbox/client-sdk';
import {CodeLine} from '../parts/copy-button.tsx';
import {Icon} from '../parts/icon.tsx';

/** The secret that was answered last, until somebody has put it away. */
const fresh = signal<Pick<WebhookEndpoint, 'id' | 'signing_secret'> | undefined>(undefined);

export const showSecret = ({id, signing_secret}: WebhookEndpoint): void => {
	fresh.value = {id, signing_secret};
};

/** A signing secret, shown whole this once. */
export const EndpointSecret = ({endpointId}: {endpointId: string}) => {
	if (fresh.value?.id !== endpointId) return null;
	return (
		<div class="notice calm" role="status">
			<Icon name="key" />
			<div class="stack tight">
				<p>
					<span class="strong">The signing secret is shown this once.</span> Signalbox signs what it delivers with it
					(Standard Webhooks), so that your destination knows who sends.
				</p>
				<CodeLine text={fresh.value.signing_secret} />
				<div class="row">
					<button type="button" class="button small" onClick={() => (fresh.value = undefined)}>
						I have kept it
					</button>
				</div>
			</div>
		</div>
	);
};

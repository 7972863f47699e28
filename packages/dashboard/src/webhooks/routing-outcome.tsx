import type {RoutingTrace} from '@signalbox/client-sdk';
import {Pill} from '../parts/pill.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {TracedMessage} from './step-effects.tsx';

type Destination = RoutingTrace['destinations'][number];

const Goes = ({destination}: {destination: Destination}) => (
	<li class="effect passed">
		<p>
			<span class="strong">
				<VisibleText text={destination.name} />
			</span>
		</p>
		<p class="small">
			<code>
				<VisibleText text={destination.url} />
			</code>
		</p>
		<details class="fold">
			<summary>What is sent</summary>
			<TracedMessage message={destination} label={`Body for ${destination.name}`} />
		</details>
	</li>
);

/** Where a webhook goes, and why. */
export const RoutingOutcome = ({trace: {destinations, rules}}: {trace: RoutingTrace}) => (
	<div class="stack tight">
		<p role="status">
			{destinations.length === 0
				? 'It goes nowhere: no rule takes it.'
				: `It goes to ${destinations.length === 1 ? 'one destination' : `${destinations.length} destinations`}.`}
		</p>
		{destinations.length > 0 && (
			<ul class="effects">
				{destinations.map((destination) => (
					<Goes key={destination.rule_id ?? 'primary'} destination={destination} />
				))}
			</ul>
		)}
		{rules.length > 0 && (
			<>
				<h3>Why</h3>
				<ul class="reasons">
					{rules.map(({rule_id, name, matched, reason}) => (
						<li key={rule_id}>
							<Pill tone={matched ? 'good' : 'idle'}>{matched ? 'Matches' : 'Does not match'}</Pill>
							<span>
								<span class="strong">
									<VisibleText text={name} />
								</span>{' '}
								<span class="soft">
									<VisibleText text={reason} />
								</span>
							</span>
						</li>
					))}
				</ul>
			</>
		)}
	</div>
);

import type {Middleware} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {useOrder} from '../live/use-order.ts';
import {useResource} from '../live/use-resource.ts';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {Dialog} from '../parts/dialog.tsx';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {Loaded} from '../parts/loaded.tsx';
import {client} from '../session/client.ts';
import {PipelineTest} from './pipeline-test.tsx';
import {StepDialog} from './step-dialog.tsx';
import {type StepType, stepKinds, stepTypes} from './step-kinds.ts';
import {StepList} from './step-list.tsx';

const useSteps = (endpointId: string) => {
	const path = {endpoint_id: endpointId};
	const resource = useResource(
		`steps/${endpointId}`,
		async (): Promise<readonly Middleware[]> => (await client.webhook.middlewares.list({path})).data,
	);
	const move = useOrder(resource, async (next) =>
		client.webhook.middlewares.reorder({path, body: {middleware_ids: next.map(({id}) => id)}}),
	);
	return {resource, move};
};

const ChooseType = ({onChoose, onClose}: {onChoose: (type: StepType) => void; onClose: () => void}) => (
	<Dialog title="Add a step" onClose={onClose}>
		<ul class="stack tight">
			{stepTypes.map((type) => (
				<li key={type}>
					<button type="button" class="choice" onClick={() => onChoose(type)}>
						<span class="strong">{stepKinds[type].name}</span>
						<span class="small soft">{stepKinds[type].purpose}</span>
					</button>
				</li>
			))}
		</ul>
	</Dialog>
);

type Asked =
	| Readonly<{what: 'choose'}>
	| Readonly<{what: 'add'; type: StepType}>
	| Readonly<{what: 'edit' | 'remove'; step: Middleware}>;

type QuestionProps = Readonly<{
	endpointId: string;
	asked: Asked;
	ask: (asked: Asked) => void;
	onSaved: () => void;
	onClose: () => void;
}>;

const Question = ({endpointId, asked, ask, onSaved, onClose}: QuestionProps) => {
	if (asked.what === 'choose') return <ChooseType onChoose={(type) => ask({what: 'add', type})} onClose={onClose} />;
	const saving = {endpointId, onSaved, onClose};
	if (asked.what === 'add') return <StepDialog type={asked.type} {...saving} />;
	const {step} = asked;
	if (asked.what === 'edit') return <StepDialog type={step.type} step={step} {...saving} />;
	const remove = async (): Promise<void> => {
		await client.webhook.middlewares.delete({path: {endpoint_id: endpointId, middleware_id: step.id}});
		onSaved();
	};
	return (
		<ConfirmDialog title={`Remove ${step.name}?`} action="Remove step" onConfirm={remove} onClose={onClose}>
			<p>Webhooks that come in from now on go without it.</p>
		</ConfirmDialog>
	);
};

const NoStep = () => (
	<Empty icon="webhooks" title="No step yet">
		<p>
			Without steps every webhook goes on as it came. A step stops those that nobody needs, changes what they say, lets
			them wait, or drops those that came before.
		</p>
	</Empty>
);

/** The steps of an endpoint, and a test beside them that shows what each one does. */
export const Pipeline = ({endpointId}: {endpointId: string}) => {
	const {resource, move} = useSteps(endpointId);
	const [asked, ask] = useState<Asked>();
	return (
		<Loaded resource={resource} label="Loading the steps">
			{(steps) => (
				<div class="beside">
					<section class="card" aria-label="Steps of this endpoint">
						<div class="card-head">
							<h2>Steps</h2>
							<button type="button" class="button small" onClick={() => ask({what: 'choose'})}>
								<Icon name="add" />
								Add a step
							</button>
						</div>
						{steps.length === 0 ? (
							<NoStep />
						) : (
							<StepList
								steps={steps}
								move={move}
								edit={(step) => ask({what: 'edit', step})}
								remove={(step) => ask({what: 'remove', step})}
							/>
						)}
					</section>
					<PipelineTest endpointId={endpointId} steps={steps} />
					{asked && (
						<Question
							key={asked.what}
							endpointId={endpointId}
							asked={asked}
							ask={ask}
							onSaved={resource.reload}
							onClose={() => ask(undefined)}
						/>
					)}
				</div>
			)}
		</Loaded>
	);
};

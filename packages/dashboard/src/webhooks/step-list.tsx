import type {Middleware} from '@signalbox/client-sdk';
import {useRef} from 'preact/hooks';
import {Icon} from '../parts/icon.tsx';
import {Pill} from '../parts/pill.tsx';
import {useSortable} from '../parts/sortable-list.ts';
import {VisibleText} from '../parts/text-viewer.tsx';
import {KindOf} from './step-effects.tsx';
import {describeStep} from './step-kinds.ts';

type Actions = Readonly<{
	move: (from: number, to: number) => void;
	edit: (step: Middleware) => void;
	remove: (step: Middleware) => void;
}>;

type ItemProps = Readonly<{step: Middleware; at: number; count: number; actions: Actions}>;

const Move = ({step, at, count, actions}: ItemProps) => (
	<span class="row tight">
		<button
			type="button"
			class="button quiet small icon-only"
			aria-label={`Move ${step.name} up`}
			disabled={at === 0}
			onClick={() => actions.move(at, at - 1)}
		>
			<Icon name="up" />
		</button>
		<button
			type="button"
			class="button quiet small icon-only"
			aria-label={`Move ${step.name} down`}
			disabled={at === count - 1}
			onClick={() => actions.move(at, at + 1)}
		>
			<Icon name="down" />
		</button>
	</span>
);

const Item = (props: ItemProps) => {
	const {step, at, actions} = props;
	return (
		<li class={step.is_active ? 'step' : 'step off'}>
			<span class="drag-handle" title="Drag to another place">
				<Icon name="drag" />
			</span>
			<div class="step-words">
				<div class="row">
					<span class="faint number">{at + 1}</span>
					<span class="strong">
						<VisibleText text={step.name} />
					</span>
					{!step.is_active && <Pill tone="idle">Not active</Pill>}
				</div>
				<p class="small soft">
					<KindOf step={step} />
					<VisibleText text={describeStep(step)} />
				</p>
			</div>
			<div class="row tight step-actions">
				<Move {...props} />
				<button
					type="button"
					class="button quiet small icon-only"
					aria-label={`Change ${step.name}`}
					onClick={() => actions.edit(step)}
				>
					<Icon name="edit" />
				</button>
				<button
					type="button"
					class="button quiet small icon-only"
					aria-label={`Remove ${step.name}`}
					onClick={() => actions.remove(step)}
				>
					<Icon name="remove" />
				</button>
			</div>
		</li>
	);
};

/** The steps in the order in which they run; dragged, or moved by buttons. */
export const StepList = ({steps, ...actions}: Actions & Readonly<{steps: readonly Middleware[]}>) => {
	const list = useRef<HTMLOListElement>(null);
	useSortable(list, actions.move);
	return (
		<ol ref={list} class="steps" aria-label="Steps">
			{steps.map((step, at) => (
				<Item key={step.id} step={step} at={at} count={steps.length} actions={actions} />
			))}
		</ol>
	);
};

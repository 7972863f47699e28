import type {CronJob} from '@signalbox/client-sdk';
import {Icon, type IconGlyph} from '../parts/icon.tsx';
import {moved} from '../parts/sortable-list.ts';
import {type Condition, conditionOptions} from './chain-words.ts';

/** A step as it is written. */
export type WrittenStep = Readonly<{
	key: number;
	cron_job_id: string;
	condition_type: Condition;
	timeout_seconds: number;
}>;

type Props = Readonly<{
	jobs: readonly CronJob[];
	steps: readonly WrittenStep[];
	onChange: (steps: readonly WrittenStep[]) => void;
}>;

type ButtonProps = Readonly<{icon: IconGlyph; label: string; disabled: boolean; onClick: () => void}>;

const StepButton = ({icon, label, ...rest}: ButtonProps) => (
	<button type="button" class="button quiet small icon-only" aria-label={label} {...rest}>
		<Icon name={icon} />
	</button>
);

type RowProps = Readonly<{at: number; change: (change: Partial<WrittenStep>) => void}> & Omit<Props, 'onChange'>;

const StepFields = ({jobs, steps, at, change}: RowProps) => {
	const step = steps[at];
	if (step === undefined) return null;
	return (
		<>
			<select
				class="input"
				aria-label={`Condition of step ${at + 1}`}
				disabled={at === 0 && steps.length === 1}
				onInput={(event) => change({condition_type: event.currentTarget.value as Condition})}
			>
				{conditionOptions.map(({value, label}) => (
					<option key={value} value={value} selected={value === step.condition_type}>
						{label}
					</option>
				))}
			</select>
			<select
				class="input"
				aria-label={`Job of step ${at + 1}`}
				onInput={(event) => change({cron_job_id: event.currentTarget.value})}
			>
				{!jobs.some(({id}) => id === step.cron_job_id) && (
					<option key={step.cron_job_id} value={step.cron_job_id} selected>
						(deleted job)
					</option>
				)}
				{jobs.map(({id, name}) => (
					<option key={id} value={id} selected={id === step.cron_job_id}>
						{name}
					</option>
				))}
			</select>
			<label class="step-timeout small soft">
				<input
					class="input"
					type="number"
					min={1}
					max={86_400}
					required
					value={step.timeout_seconds}
					aria-label={`Longest time of step ${at + 1}, in seconds`}
					onInput={(event) => change({timeout_seconds: event.currentTarget.valueAsNumber})}
				/>
				s at most
			</label>
		</>
	);
};

/** The steps of a chain: which job, and when it runs. */
export const ChainStepsField = ({jobs, steps, onChange}: Props) => {
	const change = (at: number) => (next: Partial<WrittenStep>) =>
		onChange(steps.map((step, index) => (index === at ? {...step, ...next} : step)));
	const add = (): void => {
		const key = Math.max(-1, ...steps.map((step) => step.key)) + 1;
		onChange([...steps, {key, cron_job_id: jobs[0]?.id ?? '', condition_type: 'on_success', timeout_seconds: 3600}]);
	};
	return (
		<fieldset class="stack tight">
			<legend class="strong">Steps</legend>
			<p class="small soft">One after the other. Each looks at how the last one before it that ran has ended.</p>
			<ol class="stack tight">
				{steps.map((step, at) => (
					<li key={step.key} class="written-step">
						<span class="faint number">{at + 1}</span>
						<StepFields jobs={jobs} steps={steps} at={at} change={change(at)} />
						<span class="row tight">
							<StepButton
								icon="up"
								label={`Move step ${at + 1} up`}
								disabled={at === 0}
								onClick={() => onChange(moved(steps, at, at - 1))}
							/>
							<StepButton
								icon="remove"
								label={`Remove step ${at + 1}`}
								disabled={steps.length === 1}
								onClick={() => onChange(steps.filter((_, index) => index !== at))}
							/>
						</span>
					</li>
				))}
			</ol>
			<div class="row">
				<button type="button" class="button small" onClick={add}>
					<Icon name="add" />
					Add a step
				</button>
			</div>
		</fieldset>
	);
};

import type {RoutingRule} from '@signalbox/client-sdk';
import {Icon, type IconGlyph} from '../parts/icon.tsx';
import {Pill} from '../parts/pill.tsx';
import {VisibleText} from '../parts/text-viewer.tsx';
import {operatorWords} from './step-kinds.ts';

const subjectOf = ({condition_source, condition_field}: RoutingRule): string => {
	if (condition_source === 'method') return 'the method';
	return condition_source === 'header' ? `header ${condition_field}` : `${condition_field}`;
};

/** When a rule matches, in words. */
const conditionText = (rule: RoutingRule): string => {
	const {condition_source, condition_operator, condition_value} = rule;
	if (condition_source === null || condition_operator === null) return 'always';
	const value = condition_operator === 'exists' ? '' : ` ${JSON.stringify(condition_value)}`;
	return `when ${subjectOf(rule)} ${operatorWords[condition_operator]}${value}`;
};

type Actions = Readonly<{
	move: (from: number, to: number) => void;
	edit: (rule: RoutingRule) => void;
	remove: (rule: RoutingRule) => void;
}>;

type ButtonProps = Readonly<{icon: IconGlyph; label: string; disabled?: boolean; onClick: () => void}>;

const IconButton = ({icon, label, ...rest}: ButtonProps) => (
	<button type="button" class="button quiet small icon-only" aria-label={label} {...rest}>
		<Icon name={icon} />
	</button>
);

type ItemProps = Readonly<{rule: RoutingRule; at: number; count: number; actions: Actions}>;

const Item = ({rule, at, count, actions: {move, edit, remove}}: ItemProps) => (
	<li class={rule.is_active ? 'step' : 'step off'}>
		<span class="faint number rule-number">{at + 1}</span>
		<div class="step-words">
			<div class="row">
				<span class="strong">
					<VisibleText text={rule.name} />
				</span>
				{!rule.is_active && <Pill tone="idle">Not active</Pill>}
			</div>
			<p class="small soft">
				<VisibleText text={conditionText(rule)} />, to{' '}
				<code>
					<VisibleText text={rule.destination_url} />
				</code>
			</p>
		</div>
		<div class="row tight step-actions">
			<IconButton icon="up" label={`Move ${rule.name} up`} disabled={at === 0} onClick={() => move(at, at - 1)} />
			<IconButton
				icon="down"
				label={`Move ${rule.name} down`}
				disabled={at === count - 1}
				onClick={() => move(at, at + 1)}
			/>
			<IconButton icon="edit" label={`Change ${rule.name}`} onClick={() => edit(rule)} />
			<IconButton icon="remove" label={`Remove ${rule.name}`} onClick={() => remove(rule)} />
		</div>
	</li>
);

/** The rules in the order in which they are judged. */
export const RuleList = ({rules, ...actions}: Actions & Readonly<{rules: readonly RoutingRule[]}>) => (
	<ol class="steps" aria-label="Rules">
		{rules.map((rule, at) => (
			<Item key={rule.id} rule={rule} at={at} count={rules.length} actions={actions} />
		))}
	</ol>
);

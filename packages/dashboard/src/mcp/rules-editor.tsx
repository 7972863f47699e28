import type {ToolRule} from '@signalbox/client-sdk';
import {useRef, useState} from 'preact/hooks';
import {Icon} from '../parts/icon.tsx';

type Row = ToolRule & Readonly<{id: number}>;

type RowProps = Readonly<{row: Row; at: number; onRemove: () => void; onRaise: (() => void) | undefined}>;

const RuleRow = ({row, at, onRemove, onRaise}: RowProps) => (
	<li class="rule-row">
		<input
			class="input mono"
			name="rule_pattern"
			aria-label={`Pattern of rule ${at + 1}`}
			placeholder="delete_*"
			defaultValue={row.pattern}
			required
			maxLength={256}
			spellcheck={false}
		/>
		<select class="input" name="rule_action" aria-label={`What rule ${at + 1} does`}>
			<option value="require" selected={row.action === 'require'}>
				Waits
			</option>
			<option value="allow" selected={row.action === 'allow'}>
				Runs
			</option>
		</select>
		<button
			type="button"
			class="button quiet small icon-only"
			aria-label={`Move rule ${at + 1} up`}
			disabled={onRaise === undefined}
			onClick={onRaise}
		>
			<Icon name="raise" />
		</button>
		<button type="button" class="button quiet small icon-only" aria-label={`Remove rule ${at + 1}`} onClick={onRemove}>
			<Icon name="remove" />
		</button>
	</li>
);

const raised = (rows: readonly Row[], at: number): readonly Row[] => {
	const next = [...rows];
	next.splice(at - 1, 0, ...next.splice(at, 1));
	return next;
};

/** Which tools wait and which run, by name; the first rule that matches decides. */
export const RulesEditor = ({rules}: {rules: readonly ToolRule[]}) => {
	const nextId = useRef(rules.length);
	const [rows, setRows] = useState<readonly Row[]>(() => rules.map((rule, id) => ({...rule, id})));
	const add = (): void => {
		nextId.current += 1;
		setRows([...rows, {pattern: '', action: 'require', id: nextId.current}]);
	};
	return (
		<fieldset class="field">
			<legend class="label">Rules</legend>
			<ol class="stack tight">
				{rows.map((row, at) => (
					<RuleRow
						key={row.id}
						row={row}
						at={at}
						onRemove={() => setRows(rows.filter(({id}) => id !== row.id))}
						onRaise={at === 0 ? undefined : () => setRows(raised(rows, at))}
					/>
				))}
			</ol>
			<div>
				<button type="button" class="button small" onClick={add}>
					<Icon name="add" />
					Add a rule
				</button>
			</div>
			<div class="hint">
				By the name of a tool: <code>*</code> stands for anything, <code>{'{a,b}'}</code> for one of several. The first
				rule that matches decides; without one it is the trust that does.
			</div>
		</fieldset>
	);
};

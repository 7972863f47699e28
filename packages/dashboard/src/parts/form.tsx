import {ApiError} from '@signalbox/client-sdk';
import {type ComponentChildren, createContext, type InputHTMLAttributes} from 'preact';
import {useContext, useEffect, useId, useRef, useState} from 'preact/hooks';
import {ErrorNotice} from './error-notice.tsx';

type Problems = ReadonlyMap<string, string>;

const none: Problems = new Map();
const FieldProblems = createContext<Problems>(none);

const problemsOf = (error: unknown): Problems =>
	error instanceof ApiError ? new Map(error.details.map(({path, message}) => [path, message])) : none;

/** Whether each problem stands at a field of the form: below them it would be said twice. */
const isSaidAtFields = (form: HTMLFormElement, error: unknown): boolean => {
	const names = [...problemsOf(error).keys()];
	// What is checked or not shows no problem of its own.
	const fields = [...form.elements].filter((element) => element.getAttribute('type') !== 'checkbox');
	return names.length > 0 && names.every((name) => fields.some((field) => field.getAttribute('name') === name));
};

type FormProps = Readonly<{
	/** Says on the button what happens. */
	action: string;
	submit: (values: FormData) => Promise<unknown>;
	onCancel?: () => void;
	/** What the button looks like. */
	tone?: 'primary' | 'danger';
	children: ComponentChildren;
}>;

/**
 * A form: the browser checks what HTML can say, the server the rest. What the server says of a field stands at the field of
 * that name, and what no field says above the buttons.
 */
export const Form = ({action, submit, onCancel, tone = 'primary', children}: FormProps) => {
	const [busy, setBusy] = useState(false);
	const [error, setError] = useState<unknown>();
	const [isSaid, setSaid] = useState(false);
	const send = async (form: HTMLFormElement): Promise<void> => {
		setBusy(true);
		setError(undefined);
		try {
			await submit(new FormData(form));
		} catch (thrown) {
			setError(thrown);
			setSaid(isSaidAtFields(form, thrown));
			// The first field at fault, once it says so.
			setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
		} finally {
			setBusy(false);
		}
	};
	return (
		<form
			class="form"
			onSubmit={(event) => {
				event.preventDefault();
				if (!busy) void send(event.currentTarget);
			}}
		>
			<FieldProblems.Provider value={problemsOf(error)}>{children}</FieldProblems.Provider>
			{error !== undefined && !isSaid && <ErrorNotice error={error} />}
			<div class={onCancel ? 'dialog-actions' : 'row'}>
				{onCancel && (
					<button type="button" class="button" onClick={onCancel}>
						Cancel
					</button>
				)}
				<button type="submit" class={`button ${tone}`} disabled={busy}>
					{action}
				</button>
			</div>
		</form>
	);
};

type Frame = Readonly<{name: string; label: string; hint?: ComponentChildren}>;

const useField = (name: string) => {
	const id = useId();
	const problem = useContext(FieldProblems).get(name);
	return {
		id,
		problem,
		attributes: {
			id,
			name,
			'aria-describedby': `${id}-hint`,
			'aria-invalid': problem === undefined ? undefined : ('true' as const),
		},
	};
};

type FieldProps = Frame & Readonly<{id: string; problem: string | undefined; children: ComponentChildren}>;

const Field = ({id, label, hint, problem, children}: FieldProps) => (
	<div class="field">
		<label htmlFor={id}>{label}</label>
		{children}
		<div id={`${id}-hint`} class={problem === undefined ? 'hint' : 'problem'}>
			{problem ?? hint}
		</div>
	</div>
);

type TextProps = Frame &
	Readonly<{
		type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'datetime-local';
		value?: string | number;
		required?: boolean;
		autocomplete?: string;
		placeholder?: string;
		pattern?: string;
		minLength?: number;
		maxLength?: number;
		min?: number;
		max?: number;
		step?: number | 'any';
		mono?: boolean;
		autofocus?: boolean;
		onInput?: (value: string) => void;
	}>;

export const TextField = ({mono = false, value, onInput, ...frame}: TextProps) => {
	const {id, problem, attributes} = useField(frame.name);
	const {label, hint, name: _name, autofocus, ...rest} = frame;
	// Which attributes go with which type is the caller's to know.
	const input = rest as InputHTMLAttributes<HTMLInputElement>;
	const element = useRef<HTMLInputElement>(null);
	useEffect(() => {
		if (autofocus) element.current?.focus();
	}, [autofocus]);
	return (
		<Field name={frame.name} label={label} hint={hint} id={id} problem={problem}>
			<input
				{...input}
				{...attributes}
				ref={element}
				class={mono ? 'input mono' : 'input'}
				defaultValue={value === undefined ? undefined : String(value)}
				onInput={onInput && ((event) => onInput(event.currentTarget.value))}
			/>
		</Field>
	);
};

/** What people call something. */
export const NameField = (field: Pick<TextProps, 'value' | 'placeholder'>) => (
	<TextField {...field} name="name" label="Name" maxLength={255} autocomplete="off" required />
);

type AreaProps = Frame &
	Readonly<{
		value?: string;
		rows?: number;
		required?: boolean;
		mono?: boolean;
		placeholder?: string;
		onInput?: (value: string) => void;
	}>;

export const TextAreaField = ({name, label, hint, value, mono = false, onInput, ...area}: AreaProps) => {
	const {id, problem, attributes} = useField(name);
	return (
		<Field name={name} label={label} hint={hint} id={id} problem={problem}>
			<textarea
				{...area}
				{...attributes}
				class={mono ? 'input mono' : 'input'}
				defaultValue={value}
				spellcheck={!mono}
				onInput={onInput && ((event) => onInput(event.currentTarget.value))}
			/>
		</Field>
	);
};

export type Option = Readonly<{value: string; label: string}>;

type SelectProps = Frame & Readonly<{options: readonly Option[]; value?: string; onInput?: (value: string) => void}>;

export const SelectField = ({name, label, hint, options, value, onInput}: SelectProps) => {
	const {id, problem, attributes} = useField(name);
	return (
		<Field name={name} label={label} hint={hint} id={id} problem={problem}>
			<select {...attributes} class="input" onInput={onInput && ((event) => onInput(event.currentTarget.value))}>
				{options.map((option) => (
					<option key={option.value} value={option.value} selected={option.value === value}>
						{option.label}
					</option>
				))}
			</select>
		</Field>
	);
};

type CheckProps = Frame & Readonly<{checked?: boolean; onInput?: (checked: boolean) => void}>;

export const CheckField = ({name, label, hint, checked = false, onInput}: CheckProps) => {
	const id = useId();
	return (
		<div class="check">
			<input
				id={id}
				type="checkbox"
				name={name}
				defaultChecked={checked}
				aria-describedby={`${id}-hint`}
				onInput={onInput && ((event) => onInput(event.currentTarget.checked))}
			/>
			<label htmlFor={id}>{label}</label>
			<div id={`${id}-hint`} class="hint">
				{hint}
			</div>
		</div>
	);
};

/** The text of a field; empty when there is none. */
export const textOf = (values: FormData, name: string): string => {
	const value = values.get(name);
	return typeof value === 'string' ? value.trim() : '';
};

/** The number of a field; undefined when it was left empty. */
export const numberOf = (values: FormData, name: string): number | undefined => {
	const text = textOf(values, name);
	return text === '' ? undefined : Number(text);
};

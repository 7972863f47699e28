import {useState} from 'preact/hooks';
import {Icon} from './icon.tsx';
import {showProblem} from './toasts.tsx';

/** Puts a text on the clipboard, and says so. */
export const CopyButton = ({text, label = 'Copy'}: {text: string | (() => string); label?: string}) => {
	const [copied, setCopied] = useState(false);
	const copy = async (): Promise<void> => {
		await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
		setCopied(true);
		setTimeout(() => setCopied(false), 2000);
	};
	return (
		<button type="button" class="button quiet small" onClick={() => void copy().catch(showProblem)}>
			<Icon name={copied ? 'check' : 'copy'} />
			<span aria-live="polite">{copied ? 'Copied' : label}</span>
		</button>
	);
};

/** One line to take along: an address, a key, a command. */
export const CodeLine = ({text}: {text: string}) => (
	<div class="code-line">
		<code>{text}</code>
		<CopyButton text={text} />
	</div>
);

import type {Approval} from '@signalbox/client-sdk';
import {useState} from 'preact/hooks';
import {TextViewer, VisibleText} from '../parts/text-viewer.tsx';

const shortest = 160;
const mostFields = 40;

const isShort = (value: unknown): boolean => {
	if (typeof value === 'string') return value.length <= shortest && !value.includes('\n');
	return typeof value !== 'object' || value === null;
};

/** A short value on a line, texts in quotes; a long text as it would be read, anything else as JSON. */
const Value = ({name, value}: {name: string; value: unknown}) => {
	const json = JSON.stringify(value, undefined, 2);
	if (isShort(value))
		return (
			<code class={`viewer-inline ${typeof value === 'string' ? '' : 'literal'}`}>
				<VisibleText text={typeof value === 'string' ? `"${value}"` : json} />
			</code>
		);
	return <TextViewer label={`Argument ${name}`} text={typeof value === 'string' ? value : json} />;
};

type Called = Readonly<{approval: Approval}>;

/** Numbers that no program can be trusted to keep are shown with the digits that were sent. */
const ExactArguments = ({text}: {text: string}) => (
	<section class="stack tight" aria-label="Arguments">
		<h3>Arguments</h3>
		<p class="soft">As they were sent, because they hold numbers of more digits than most programs keep.</p>
		<TextViewer label="Arguments as JSON" text={text} />
	</section>
);

/** What the tool would be called with: field by field, or as it was sent. */
export const Arguments = ({approval: {request_body, arguments_json}}: Called) =>
	arguments_json === null ? <ParsedArguments values={request_body} /> : <ExactArguments text={arguments_json} />;

const ParsedArguments = ({values}: {values: Approval['request_body']}) => {
	const fields = Object.entries(values);
	const [asJson, setAsJson] = useState(fields.length > mostFields);
	if (fields.length === 0) return <p class="soft">This call has no arguments.</p>;
	return (
		<section class="stack tight" aria-label="Arguments">
			<div class="row apart">
				<h3>Arguments</h3>
				<button type="button" class="button quiet small" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
					{asJson ? 'Show fields' : 'Show JSON'}
				</button>
			</div>
			{asJson ? (
				<TextViewer label="Arguments as JSON" text={JSON.stringify(values, undefined, 2)} />
			) : (
				<dl class="arguments">
					{fields.map(([name, value]) => (
						<div key={name} class={isShort(value) ? 'argument short' : 'argument'}>
							<dt>
								<code>
									<VisibleText text={name} />
								</code>
							</dt>
							<dd>
								<Value name={name} value={value} />
							</dd>
						</div>
					))}
				</dl>
			)}
		</section>
	);
};

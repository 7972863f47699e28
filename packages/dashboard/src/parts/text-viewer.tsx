import {useMemo, useRef, useState} from 'preact/hooks';
import {CopyButton} from './copy-button.tsx';
import {type Line, linesOf, type Token} from './pretty-json.ts';
import {useVirtualRows} from './virtual-rows.tsx';
import {visiblePieces} from './visible-text.ts';

/** Characters that are shown at first, of a text that has more. */
const shownAtFirst = 20_000;
/** Lines that are drawn as they are; of more, only those that can be seen. */
const drawnAtOnce = 500;

/** Text of anybody: it becomes text nodes, never markup, and what cannot be seen is named. */
export const VisibleText = ({text}: {text: string}) => (
	<>
		{visiblePieces(text).map((piece, at) =>
			piece.mark === undefined ? (
				piece.text
			) : (
				<span key={at} class="mark" title="A character that cannot be seen">
					{piece.mark}
				</span>
			),
		)}
	</>
);

/** In JSON, characters that cannot be seen are often written as escapes: these are named in the same way. */
const escapes =
	/(\\u(?:00[01][0-9a-fA-F]|007[fF]|00[89][0-9a-fA-F]|20[0-2][0-9a-fA-F]|206[0-9a-fA-F]|[fF][eE][fF]{2}))/;

const Escaped = ({text}: {text: string}) => (
	<>
		{text.split(escapes).map((part, at) =>
			at % 2 === 0 ? (
				<VisibleText key={part} text={part} />
			) : (
				<span key={part} class="mark">
					{part}
				</span>
			),
		)}
	</>
);

const Part = ({token}: {token: Token}) => {
	if (token.kind === 'plain') return <VisibleText text={token.text} />;
	return (
		<span class={token.kind}>
			<Escaped text={token.text} />
		</span>
	);
};

const Parts = ({line}: {line: Line}) => (
	<>
		{line.length === 0 || line.every(({text}) => text === '')
			? '\u00a0'
			: line.map((token, at) => <Part key={at} token={token} />)}
	</>
);

const PlainLines = ({lines, label}: {lines: readonly Line[]; label: string}) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
	<section class="viewer-text" tabIndex={0} aria-label={label}>
		{lines.map((line, at) => (
			<div key={at} class="viewer-line">
				<Parts line={line} />
			</div>
		))}
	</section>
);

/** What a line will about take, at the width of a page. */
const rowHeightOf = (line: Line = []): number =>
	21 * Math.max(1, Math.ceil(line.reduce((sum, {text}) => sum + text.length, 0) / 110));

const VirtualLines = ({lines, label}: {lines: readonly Line[]; label: string}) => {
	const scroller = useRef<HTMLElement>(null);
	const {items, height, measure} = useVirtualRows(scroller, {
		count: lines.length,
		rowHeight: (index) => rowHeightOf(lines[index]),
	});
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
		<section class="viewer-text" tabIndex={0} ref={scroller} aria-label={label}>
			<div class="viewer-space" style={{height: `${height}px`}}>
				{items.map(({index, start}) => (
					<div
						key={index}
						ref={measure}
						data-index={index}
						class="viewer-line virtual"
						style={{transform: `translateY(${start}px)`}}
					>
						<Parts line={lines[index] ?? []} />
					</div>
				))}
			</div>
		</section>
	);
};

export const sizeText = (characters: number): string => {
	if (characters < 1000) return `${characters} characters`;
	return characters < 1_000_000 ? `${(characters / 1000).toFixed(1)} kB` : `${(characters / 1_000_000).toFixed(1)} MB`;
};

type Props = Readonly<{text: string; label: string}>;

/** Shows what somebody else wrote, JSON or not, of any size, and lets it do nothing. */
export const TextViewer = ({text, label}: Props) => {
	const [all, setAll] = useState(false);
	const cut = !all && text.length > shownAtFirst * 1.2;
	const whole = useMemo(() => (cut ? undefined : linesOf(text)), [text, cut]);
	const lines = useMemo(() => whole?.lines ?? linesOf(text.slice(0, shownAtFirst)).lines, [whole, text]);
	const Lines = lines.length > drawnAtOnce ? VirtualLines : PlainLines;
	return (
		<div class="viewer">
			<Lines lines={lines} label={label} />
			<div class="viewer-foot">
				<span>{cut ? `The first ${sizeText(shownAtFirst)} of ${sizeText(text.length)}` : sizeText(text.length)}</span>
				<span class="row">
					{cut && (
						<button type="button" class="button quiet small" onClick={() => setAll(true)}>
							Show all
						</button>
					)}
					<CopyButton text={text} />
				</span>
			</div>
		</div>
	);
};

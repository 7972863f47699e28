import type {CronExecution} from '@signalbox/client-sdk';
import {useLayoutEffect, useRef, useState} from 'preact/hooks';
import {sizeText, TextViewer} from '../parts/text-viewer.tsx';

/** Of a long output the end is shown: that is where it goes on. */
const shownAtEnd = 20_000;
const nearEnd = 40;

/** Keeps the end of what is written in view, unless somebody has scrolled away from it. */
const useFollow = (text: string) => {
	const frame = useRef<HTMLDivElement>(null);
	const follows = useRef(true);
	useLayoutEffect(() => {
		const lines = frame.current?.querySelector('.viewer-text');
		if (!lines) return undefined;
		if (follows.current) lines.scrollTop = lines.scrollHeight;
		const onScroll = (): void => {
			follows.current = lines.scrollHeight - lines.scrollTop - lines.clientHeight < nearEnd;
		};
		lines.addEventListener('scroll', onScroll);
		return () => lines.removeEventListener('scroll', onScroll);
	}, [text]);
	return frame;
};

const waitingFor = ({status}: CronExecution): string => {
	if (status === 'pending') return 'It waits for an agent to take it. What it writes appears here as it runs.';
	return status === 'running' ? 'It runs, and has written nothing yet.' : 'It wrote nothing.';
};

/** What a run has written, as it writes it. */
export const RunOutput = ({run}: {run: CronExecution}) => {
	const [whole, setWhole] = useState(false);
	const isLong = run.output.length > shownAtEnd && !whole;
	const text = isLong ? run.output.slice(-shownAtEnd) : run.output;
	const frame = useFollow(text);
	return (
		<section class="card" aria-label="Output">
			<div class="card-head">
				<h2>Output</h2>
				{isLong && (
					<button type="button" class="button quiet small" onClick={() => setWhole(true)}>
						The end of {sizeText(run.output.length)}: show all
					</button>
				)}
			</div>
			<div class="card-body stack tight" ref={frame}>
				{run.output === '' ? (
					<p class="soft">{waitingFor(run)}</p>
				) : (
					<TextViewer text={text} label="Output of the run" />
				)}
				{run.truncated && <p class="small soft">It wrote more than is kept: the rest is left out.</p>}
			</div>
		</section>
	);
};

import {signal} from '@preact/signals';
import {countdownText, inWords} from './time-words.ts';

/** The time, to the second, while the page can be seen. */
const now = signal(Date.now());
setInterval(() => {
	if (document.visibilityState === 'visible') now.value = Date.now();
}, 1000);

const exact = new Intl.DateTimeFormat('en-GB', {dateStyle: 'medium', timeStyle: 'medium'});

export const exactTime = (instant: string): string => exact.format(new Date(instant));

/** When something was or will be, as people say it; the exact time on hover. */
export const RelativeTime = ({instant}: {instant: string}) => (
	<time dateTime={instant} title={exactTime(instant)}>
		{inWords(Date.parse(instant), now.value)}
	</time>
);

/** How much time is left. The last minute is told apart by its colour, and by the digits. */
export const Countdown = ({until}: {until: string}) => {
	const left = Date.parse(until) - now.value;
	return (
		<time class={left < 60_000 ? 'countdown soon' : 'countdown'} dateTime={until} title={exactTime(until)}>
			{countdownText(left)}
		</time>
	);
};

import 'uplot/dist/uPlot.min.css';
import {useEffect, useRef} from 'preact/hooks';
import uPlot from 'uplot';

export type Series = Readonly<{label: string; color: string; values: readonly (number | null)[]; bars?: boolean}>;

type Props = Readonly<{
	/** Seconds since 1970. */
	times: readonly number[];
	series: readonly Series[];
	/** What it shows, for who cannot see it. */
	label: string;
	format: (value: number) => string;
}>;

const height = 200;
/** Around the first and the last day, so that their bars are as wide as the others. Seconds. */
const halfDay = 43_200;

/** A colour as it is now: light or dark. */
const colorOf = (element: HTMLElement, name: string): string => {
	const probe = document.createElement('span');
	probe.style.color = `var(${name})`;
	element.append(probe);
	const {color} = getComputedStyle(probe);
	probe.remove();
	return color;
};

const seriesOf = (element: HTMLElement, {label, color, bars}: Series): uPlot.Series => {
	const stroke = colorOf(element, color);
	const barPaths = uPlot.paths.bars?.({size: [0.6, 40], radius: 0.2});
	if (bars && barPaths) return {label, stroke, fill: stroke, width: 0, paths: barPaths, points: {show: false}};
	return {label, stroke, width: 2, points: {show: true, size: 5}};
};

const optionsOf = (element: HTMLElement, {series, format}: Props): uPlot.Options => {
	const axis = {
		stroke: colorOf(element, '--text-faint'),
		grid: {stroke: colorOf(element, '--line'), width: 1},
		ticks: {show: false},
		font: '12px Geist, sans-serif',
	};
	return {
		width: element.clientWidth,
		height,
		tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
		cursor: {points: {size: 7}},
		legend: {live: true},
		scales: {
			x: {range: (_plot, first, last) => [first - halfDay, last + halfDay]},
			y: {range: (_plot, _low, high) => [0, Math.max(high, 1) * 1.1]},
		},
		axes: [
			{...axis, grid: {show: false}, gap: 8, values: '{D} {MMM}'},
			{...axis, size: 56, values: (_plot, values) => values.map(format)},
		],
		series: [
			{label: 'Day', value: '{D} {MMM} {YYYY}'},
			...series.map((each) => ({
				...seriesOf(element, each),
				value: (_plot: uPlot, value: number | null) => (value === null ? '–' : format(value)),
			})),
		],
	};
};

/** Values over days. It is drawn anew when the colours of the page change. */
export const Chart = (props: Props) => {
	const {times, series, label} = props;
	const frame = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const element = frame.current;
		if (!element) return undefined;
		const data = [times, ...series.map(({values}) => values)] as unknown as uPlot.AlignedData;
		let plot = new uPlot(optionsOf(element, props), data, element);
		const redraw = (): void => {
			plot.destroy();
			plot = new uPlot(optionsOf(element, props), data, element);
		};
		const sizes = new ResizeObserver(() => plot.setSize({width: element.clientWidth, height}));
		sizes.observe(element);
		const dark = matchMedia('(prefers-color-scheme: dark)');
		dark.addEventListener('change', redraw);
		return () => {
			sizes.disconnect();
			dark.removeEventListener('change', redraw);
			plot.destroy();
		};
	}, [times, series]);
	return <div ref={frame} class="chart" role="img" aria-label={label} />;
};

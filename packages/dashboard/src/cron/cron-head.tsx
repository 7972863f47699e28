import '../parts/layout.css';
import './cron.css';
import type {ComponentChildren} from 'preact';
import {Tabs} from '../parts/tabs.tsx';

const tabs = [
	{path: '/cron', label: 'Jobs'},
	{path: '/cron/calendar', label: 'Calendar'},
	{path: '/cron/runs', label: 'Runs'},
	{path: '/cron/chains', label: 'Chains'},
];

/** The top of the pages that list something. */
export const CronHead = ({current, children}: {current: string; children?: ComponentChildren}) => (
	<>
		<div class="page-head">
			<h1>Cron</h1>
			<div class="row">{children}</div>
		</div>
		<Tabs label="Cron" tabs={tabs} current={current} />
	</>
);

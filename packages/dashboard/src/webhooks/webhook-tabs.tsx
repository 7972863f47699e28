import {Tabs} from '../parts/tabs.tsx';

const tabs = [
	{path: '/webhooks', label: 'Endpoints'},
	{path: '/webhooks/events', label: 'Events'},
];

export const WebhookTabs = ({current}: {current: string}) => <Tabs label="Webhooks" tabs={tabs} current={current} />;

import type {Approval} from '@signalbox/client-sdk';
import {Pill, type Tone} from '../parts/pill.tsx';

const shown: Readonly<Record<Approval['status'], readonly [Tone, string]>> = {
	pending: ['warn', 'Waiting'],
	approved: ['good', 'Approved'],
	rejected: ['bad', 'Rejected'],
	expired: ['idle', 'Expired'],
};

export const ApprovalState = ({status}: Pick<Approval, 'status'>) => {
	const [tone, word] = shown[status];
	return <Pill tone={tone}>{word}</Pill>;
};

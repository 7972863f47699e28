import type {McpCall} from '@signalbox/client-sdk';
import {Pill, type Tone} from '../parts/pill.tsx';

const shown: Readonly<Record<McpCall['status'], readonly [Tone, string]>> = {
	success: ['good', 'Success'],
	error: ['bad', 'Error'],
	timeout: ['warn', 'Timeout'],
};

export const CallState = ({status}: Pick<McpCall, 'status'>) => {
	const [tone, word] = shown[status];
	return <Pill tone={tone}>{word}</Pill>;
};

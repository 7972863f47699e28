import type {Writable} from 'node:stream';
import type {DestinationStream} from 'pino';

/** Most that is kept for a reader that stands still. Bytes. */
const mostWaiting = 1024 * 1024;

const lossLine = (lost: number): string =>
	`${JSON.stringify({level: 40, time: new Date().toISOString(), lost, msg: 'log lines were lost'})}\n`;

/**
 * Lines of the log on an output that may fail or stand still, such as a full disk, a terminal that is gone or a reader that is
 * stuck: a server that serves is worth more than its log. Lines that find no place are lost, and counted in the log once it
 * takes lines again.
 */
export const createLogStream = (output: Writable): DestinationStream => {
	let lost = 0;
	// Each write hears of its own failure; an error that nobody listens to would end the process.
	output.on('error', () => undefined);
	const tellLoss = (): void => {
		if (lost === 0 || output.writableLength > 0) return;
		const told = lost;
		lost = 0;
		output.write(lossLine(told), (error) => {
			if (error) lost += told;
		});
	};
	return {
		write: (line) => {
			if (output.writableLength > mostWaiting) {
				lost += 1;
				return;
			}
			output.write(line, (error) => {
				if (error) lost += 1;
				else tellLoss();
			});
		},
	};
};

import {ApiError} from '@signalbox/client-sdk';
import {Icon} from './icon.tsx';

const unreachable = 'The server could not be reached. Look at your connection, and whether Signalbox is running.';

/** What went wrong, in words for people. */
export const wordsOf = (error: unknown): string => {
	if (error instanceof ApiError) return error.status >= 500 ? `Signalbox failed: ${error.message}` : error.message;
	return error instanceof TypeError || error instanceof DOMException ? unreachable : String(error);
};

export const requestIdOf = (error: unknown): string | undefined =>
	error instanceof ApiError ? error.requestId : undefined;

type Props = Readonly<{error: unknown; retry?: () => void}>;

/** Something failed: what, under which request id the log has it, and a way to try again. */
export const ErrorNotice = ({error, retry}: Props) => {
	const requestId = requestIdOf(error);
	return (
		<div class="notice" role="alert">
			<Icon name="warning" />
			<div>
				<p>{wordsOf(error)}</p>
				{requestId !== undefined && (
					<p class="small soft">
						Request <code>{requestId}</code>
					</p>
				)}
				{retry && (
					<div class="row">
						<button type="button" class="button small" onClick={retry}>
							Try again
						</button>
					</div>
				)}
			</div>
		</div>
	);
};

import type {ComponentChildren} from 'preact';
import {useLocation} from 'preact-iso';
import {Icon} from '../parts/icon.tsx';
import {showProblem} from '../parts/toasts.tsx';
import {RunState} from './run-state.tsx';

type Run = Readonly<{status: Parameters<typeof RunState>[0]['status']; completed_at: string | null}>;

type Props = Readonly<{
	run: Run;
	cancel: () => Promise<void>;
	/** @returns where the new run is seen. */
	again: () => Promise<string>;
	children?: ComponentChildren;
}>;

/** How it stands with a run, and what ends it or begins another. */
export const RunActions = ({run, cancel, again, children}: Props) => {
	const {route} = useLocation();
	return (
		<div class="row">
			<RunState status={run.status} />
			{run.completed_at === null ? (
				<button type="button" class="button danger" onClick={() => void cancel().catch(showProblem)}>
					Cancel
				</button>
			) : (
				<button type="button" class="button" onClick={() => void again().then(route, showProblem)}>
					<Icon name="run" />
					Run again
				</button>
			)}
			{children}
		</div>
	);
};

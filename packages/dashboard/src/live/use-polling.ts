import {useEffect} from 'preact/hooks';

const every = 1000;

/** Reads again each second while something runs: what a command writes is told of by nothing else. */
export const usePolling = (isRunning: boolean, reload: () => void): void => {
	useEffect(() => {
		if (!isRunning) return undefined;
		const timer = setInterval(() => {
			if (document.visibilityState === 'visible') reload();
		}, every);
		return () => clearInterval(timer);
	}, [isRunning, reload]);
};

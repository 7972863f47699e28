import {useEffect, useState} from 'preact/hooks';

type Trial<T> = Readonly<{result: T | undefined; error: unknown; isRunning: boolean}>;

const afterTyping = 300;

/** Tries something while it is written: the last answer stays in view until the next one is there. */
export const useTrial = <T>(run: () => Promise<T>, version: string): Trial<T> => {
	const [trial, setTrial] = useState<Trial<T>>({result: undefined, error: undefined, isRunning: true});
	useEffect(() => {
		let stale = false;
		setTrial((was) => ({...was, isRunning: true}));
		const timer = setTimeout(async () => {
			try {
				const result = await run();
				if (!stale) setTrial({result, error: undefined, isRunning: false});
			} catch (error) {
				if (!stale) setTrial((was) => ({...was, error, isRunning: false}));
			}
		}, afterTyping);
		return () => {
			stale = true;
			clearTimeout(timer);
		};
	}, [version]);
	return trial;
};

import {useState} from 'preact/hooks';
import {type Resource, useResource} from './use-resource.ts';

let opened = 0;

/**
 * What a form begins with: read when it is opened, and not again while somebody writes in it. Nothing that was read earlier is
 * shown meanwhile, as saving it would take back what others have changed since.
 */
export const useFresh = <T>(key: string, load: () => Promise<T>): Resource<T> => {
	const [number] = useState(() => {
		opened += 1;
		return opened;
	});
	return useResource(`${key}/form/${number}`, load);
};

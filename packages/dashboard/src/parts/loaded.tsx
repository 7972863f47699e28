import type {ComponentChildren} from 'preact';
import type {Resource} from '../live/use-resource.ts';
import {ErrorNotice} from './error-notice.tsx';
import {Skeleton} from './skeleton.tsx';

type Props<T> = Readonly<{
	resource: Resource<T>;
	/** What is being read, for those who cannot see the skeleton. */
	label: string;
	lines?: number;
	children: (data: T) => ComponentChildren;
}>;

/** What was read, a skeleton until then, and what went wrong above what was read before. */
export const Loaded = <T,>({resource: {data, error, reload}, label, lines = 6, children}: Props<T>) => (
	<>
		{error !== undefined && <ErrorNotice error={error} retry={reload} />}
		{data === undefined && error === undefined && (
			<div class="card">
				<div class="card-body">
					<Skeleton lines={lines} label={label} />
				</div>
			</div>
		)}
		{data !== undefined && children(data)}
	</>
);

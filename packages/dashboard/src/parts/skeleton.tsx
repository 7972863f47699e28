/** Holds the place of lines that are being read. */
export const Skeleton = ({lines = 3, label = 'Loading'}: {lines?: number; label?: string}) => (
	<div class="stack" role="status" aria-label={label}>
		{Array.from({length: lines}, (_, at) => (
			<span key={at} class="skeleton" style={{width: `${[92, 78, 85, 64][at % 4]}%`}} />
		))}
	</div>
);

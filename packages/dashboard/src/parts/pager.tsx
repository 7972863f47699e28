import {Icon} from './icon.tsx';

type Props = Readonly<{total: number; limit: number; offset: number; onOffset: (offset: number) => void}>;

/** Leads through the pages of a list. */
export const Pager = ({total, limit, offset, onOffset}: Props) => {
	if (total <= limit && offset === 0) return null;
	const last = Math.min(offset + limit, total);
	return (
		<nav class="pager" aria-label="Pages">
			<span class="small soft number">
				{Math.min(offset + 1, total)} to {last} of {total}
			</span>
			<span class="row">
				<button
					type="button"
					class="button small"
					disabled={offset === 0}
					onClick={() => onOffset(Math.max(0, offset - limit))}
				>
					<Icon name="back" />
					Back
				</button>
				<button type="button" class="button small" disabled={last >= total} onClick={() => onOffset(offset + limit)}>
					Next
					<Icon name="forward" />
				</button>
			</span>
		</nav>
	);
};

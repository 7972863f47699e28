import {Empty} from '../parts/empty.tsx';

export const NotFoundPage = () => (
	<div class="page">
		<Empty icon="search" title="There is no such page">
			<p>The address may be mistyped, or what stood here is gone.</p>
			<a class="button" href="/approvals">
				Go to the inbox
			</a>
		</Empty>
	</div>
);

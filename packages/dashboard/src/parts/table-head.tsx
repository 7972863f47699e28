/** The names of columns. The last column holds buttons, and is named for those who cannot see them. */
export const TableHead = ({columns}: {columns: readonly string[]}) => (
	<thead>
		<tr>
			{columns.map((column) => (
				<th key={column}>{column}</th>
			))}
			<th>
				<span class="visually-hidden">Actions</span>
			</th>
		</tr>
	</thead>
);

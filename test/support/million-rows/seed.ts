import {type Copies, insertCopies} from './copies.ts';
import {configuration, dropHelperTables, helperTables} from './seed-configuration.ts';
import type {SeedEngine} from './seed-engine.ts';
import type {Counts, Originals} from './seed-numbers.ts';
import {cronRows, mcpRows, peopleRows, rollups, webhookRows} from './seed-rows.ts';

/** Fills a migrated database in which the big tenant has one of everything. @returns how many rows each table has. */
export const seed = async (
	engine: SeedEngine,
	of: Originals,
	counts: Counts,
): Promise<Readonly<Record<string, number>>> => {
	const all = async (copies: readonly Copies[]) => {
		for (const each of copies) await insertCopies(engine, each);
	};
	const tables = new Set<string>();
	const rows = [configuration, ...[mcpRows, webhookRows, cronRows, peopleRows]].flatMap((of_kind) =>
		of_kind(engine, of, counts),
	);
	for (const {table} of rows) tables.add(table);
	for (const statement of helperTables(engine, of)) await engine.query(statement);
	await all(rows);
	for (const statement of rollups(engine)) await engine.query(statement);
	for (const statement of dropHelperTables) await engine.query(statement);
	const found: Record<string, number> = {};
	for (const table of [...tables, 'mcp_call_rollups', 'mcp_call_day_rollups']) {
		const [row] = await engine.query(`SELECT COUNT(*) AS count FROM ${table}`);
		found[table] = Number(row?.count);
	}
	return found;
};

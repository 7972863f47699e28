import path from 'node:path';
import {openDatabase} from '@signalbox/adapters-sql';
import {buildAccount, buildCallEntry, buildServer} from '@signalbox/core/testing';

/** Logs calls on node:sqlite until it starts the log worker, then lists the SQLite modules this process has loaded. */
const database = await openDatabase({url: `sqlite:${process.argv[2]}`, driver: 'node:sqlite'});
await database.migrate();
const {user, team} = buildAccount();
await database.stores.users.create({user, team});
const server = buildServer({user_id: user.id, team_id: team.id});
await database.stores.mcpServers.create(server, null);
const ready = new Promise((resolve) => {
	process.once('worker', (worker) => worker.once('message', resolve));
});
for (let turn = 0; turn < 20; turn += 1) await database.stores.callLog.append(buildCallEntry({server}));
await ready;
const report = process.report.getReport() as unknown as {sharedObjects: readonly string[]};
process.stdout.write(JSON.stringify(report.sharedObjects.filter((name) => /sqlite/i.test(path.basename(name)))));
await database.close();

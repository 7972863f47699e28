import path from 'node:path';
import {openDatabase} from '@signalbox/adapters-sql';
import {buildAccount, buildCallEntry, buildServer} from '@signalbox/core/testing';

/** Logs more calls on node:sqlite than are written before another thread writes them, then lists the SQLite modules this process has loaded. */
const database = await openDatabase({url: `sqlite:${process.argv[2]}`, driver: 'node:sqlite'});
await database.migrate();
const {user, team} = buildAccount();
await database.stores.users.create({user, team});
const server = buildServer({user_id: user.id, team_id: team.id});
await database.stores.mcpServers.create(server, null);
for (let turn = 0; turn < 500; turn += 1) await database.stores.callLog.append(buildCallEntry({server}));
const report = process.report.getReport() as unknown as {sharedObjects: readonly string[]};
process.stdout.write(JSON.stringify(report.sharedObjects.filter((name) => /sqlite/i.test(path.basename(name)))));
await database.close();

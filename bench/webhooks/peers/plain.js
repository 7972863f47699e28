/** A hapi route that writes Sequelize models and sends with got when it has answered, on SQLite. Prints its address. */
import {join} from 'node:path';
import Hapi from '@hapi/hapi';
import got from 'got';
import {DataTypes, Sequelize} from 'sequelize';
import {destinationOf, directory, isGenuine, passedOn, printAddress} from './task.js';

const database = new Sequelize({dialect: 'sqlite', storage: join(directory, 'plain.db'), logging: false});
await database.query('PRAGMA journal_mode = WAL');
await database.query('PRAGMA synchronous = FULL');

const id = {type: DataTypes.UUID, defaultValue: DataTypes.UUIDV4, primaryKey: true};
const status = {type: DataTypes.STRING, defaultValue: 'pending'};
const Event = database.define('event', {id, status, headers: DataTypes.JSON, body: DataTypes.BLOB});
const Delivery = database.define('delivery', {id, status, event_id: DataTypes.UUID, url: DataTypes.STRING});
const Attempt = database.define('attempt', {
	id,
	delivery_id: DataTypes.UUID,
	status_code: DataTypes.INTEGER,
	body: DataTypes.TEXT,
});
await database.sync();

const deliver = async (event, delivery) => {
	const {statusCode, body} = await got.post(delivery.url, {body: event.body, headers: passedOn(event.headers)});
	await Attempt.create({delivery_id: delivery.id, status_code: statusCode, body});
	await delivery.update({status: 'delivered'});
	await event.update({status: 'delivered'});
};

const accept = async ({payload, headers, params}, h) => {
	if (!isGenuine(payload, headers['x-hub-signature-256'])) return h.response().code(401);
	const event = await Event.create({headers, body: payload});
	const url = destinationOf(JSON.parse(payload), `/${params.path}`);
	if (url) void deliver(event, await Delivery.create({event_id: event.id, url}));
	return h.response({event_id: event.id, status: event.status}).code(202);
};

const server = Hapi.server({port: 0, host: '127.0.0.1'});
server.route({
	method: 'POST',
	path: '/{path}',
	options: {payload: {parse: false, output: 'data'}},
	handler: accept,
});
await server.start();
printAddress(server.info.port);

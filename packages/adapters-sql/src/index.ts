export type {DriverName} from './drivers/driver.ts';
export {type DatabaseOptions, openDatabase, type SqlDatabase} from './open-database.ts';
export {createSharedSignals, type SharedSignalsNeeds} from './sharing/shared-signals.ts';

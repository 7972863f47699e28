import {chainRaces, cronStoreContract} from '@signalbox/core/testing';
import test from 'ava';
import {onMariadb} from './support/on-mariadb.ts';

await onMariadb(test, ({harness}) => {
	cronStoreContract(test, harness);
	chainRaces(test, harness);
});

import {approvalRaces, rateLimiterContract, storeContract} from '@signalbox/core/testing';
import test from 'ava';
import {onMariadb} from './support/on-mariadb.ts';

await onMariadb(test, ({harness, limiters}) => {
	storeContract(test, harness);
	approvalRaces(test, harness);
	rateLimiterContract(test.serial, limiters);
});

import {approvalRaces, rateLimiterContract, storeContract} from '@signalbox/core/testing';
import test from 'ava';
import {sqliteHarness} from './support/harness.ts';
import {sqliteLimiters} from './support/limiter-harness.ts';

storeContract(test, sqliteHarness(test, 'node:sqlite', 'file'));
approvalRaces(test, sqliteHarness(test, 'node:sqlite', 'file'));
rateLimiterContract(test.serial, sqliteLimiters('node:sqlite'));

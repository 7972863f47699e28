import {chainRaces, cronStoreContract} from '@signalbox/core/testing';
import test from 'ava';
import {sqliteHarness} from './support/harness.ts';

cronStoreContract(test, sqliteHarness(test, 'node:sqlite', 'file'));
chainRaces(test, sqliteHarness(test, 'node:sqlite', 'file'));

import {chainRaces, cronStoreContract} from '@signalbox/core/testing';
import test from 'ava';
import {sqliteHarness} from './support/harness.ts';

cronStoreContract(test, sqliteHarness('node:sqlite', 'file'));
chainRaces(test, sqliteHarness('node:sqlite', 'file'));

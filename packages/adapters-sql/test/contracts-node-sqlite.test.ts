import {approvalRaces, storeContract} from '@signalbox/core/testing';
import test from 'ava';
import {sqliteHarness} from './support/harness.ts';

storeContract(test, sqliteHarness('node:sqlite', 'file'));
approvalRaces(test, sqliteHarness('node:sqlite', 'file'));

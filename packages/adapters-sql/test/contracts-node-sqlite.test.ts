import {approvalRaces, storeContract, webhookStoreContract} from '@signalbox/core/testing';
import test from 'ava';
import {sqliteHarness} from './support/harness.ts';

storeContract(test, sqliteHarness('node:sqlite', 'file'));
webhookStoreContract(test, sqliteHarness('node:sqlite', 'file'));
approvalRaces(test, sqliteHarness('node:sqlite', 'file'));

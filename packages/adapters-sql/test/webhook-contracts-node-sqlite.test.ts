import {webhookStoreContract} from '@signalbox/core/testing';
import test from 'ava';
import {sqliteHarness} from './support/harness.ts';

webhookStoreContract(test, sqliteHarness(test, 'node:sqlite', 'file'));

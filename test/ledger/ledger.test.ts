import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LedgerError } from '../../src/core/errors.js';
import type { Fact } from '../../src/core/facts.js';
import type { RunIdentity } from '../../src/core/ledger.js';
import { openLedger } from '../../src/ledger/ledger.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardline-ledger-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const IDENTITY: RunIdentity = {
  inputs: [{ path: '/leads.csv', bytes: 10 }],
  mapping: 'aa',
  installation: 'demo http://localhost',
  campaignId: 7,
  identifierNames: ['offerId'],
};

const READ: Fact = {
  kind: 'read',
  data: JSON.stringify({
    input: 0,
    sheet: null,
    first: 0,
    rows: [
      [2, 'a', [1], 0],
      [3, 'b', [2], 0],
      [4, null, [null], 1, [{ column: 'Phone', code: 'bad', message: 'is bad', value: 'x' }]],
      [5, 'd', [4], 0],
      [6, 'e', [5], 0],
    ],
  }),
};

test('what was recorded is there when the ledger is opened again, in the order of the rows', async () => {
  const file = join(folder, 'deep', 'cardline.db');
  const first = openLedger(file, { thread: false });
  const run = first.openRun(IDENTITY, {});
  expect(run.continued).toBe(false);
  await Promise.all([
    run.record(1, [
      { kind: 'read', data: '{"input":0,"sheet":null,"first":5,"rows":[[7,"f",[6],0]]}' },
    ]),
    run.record(0, [READ]),
    run.record(0, [{ kind: 'creating', rows: [0, 1, 3, 4] }]),
    run.record(0, [
      {
        kind: 'created',
        results: [
          [0, 11],
          [1, null, 'No.'],
          [3, 12],
          [4, 13],
        ],
      },
    ]),
    run.record(0, [{ kind: 'enqueuing', rows: [0, 3] }]),
    run.record(0, [{ kind: 'enqueued', results: [[0], [3, 'Client already exists']] }]),
  ]);
  await first.close();

  const second = openLedger(file, { thread: false });
  const again = second.openRun(IDENTITY, {});
  expect(again.continued).toBe(true);
  expect(again.run).toBe(run.run);
  const rows = [...again.rows()].map((row) => [
    row.row,
    row.outcome,
    row.createdClientId,
    row.enqueueResult,
  ]);
  expect(rows).toEqual([
    [2, 'enqueued', 11, 'Success'],
    [3, 'failed', null, null],
    [4, 'rejected', null, null],
    [5, 'enqueue_failed', 12, 'Client already exists'],
    [6, 'enqueue_failed', 13, null],
  ]);
  expect(again.waiting()).toBe(1);
  await second.close();
});

test('a finished run is not continued, and another campaign is another run', async () => {
  const ledger = openLedger(join(folder, 'cardline.db'), { thread: false });
  const run = ledger.openRun(IDENTITY, {});
  expect(ledger.openRun({ ...IDENTITY, campaignId: 8 }, {}).run).not.toBe(run.run);
  expect(ledger.openRun(IDENTITY, {}).run).toBe(run.run);
  run.finish();
  expect(ledger.openRun(IDENTITY, {}).run).not.toBe(run.run);
  await ledger.close();
});

test('the ledger is readable by its owner alone', async () => {
  const file = join(folder, 'cardline.db');
  await openLedger(file, { thread: false }).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that is not a ledger is refused and left as it was', () => {
  const file = join(folder, 'leads.csv');
  writeFileSync(file, 'a,b\n'.repeat(1000));
  expect(() => openLedger(file, { thread: false })).toThrow(LedgerError);
  expect(() => openLedger(file, { thread: false })).toThrow(/not a ledger/);
  expect(statSync(file).size).toBe(4000);
  expect(() => openLedger(folder, { thread: false })).toThrow(LedgerError);
});

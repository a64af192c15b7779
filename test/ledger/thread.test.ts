import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunIdentity } from '../../src/core/ledger.js';
import type { openLedger as sourceOf } from '../../src/ledger/ledger.js';
import type { Ledger } from '../../src/ledger/port.js';

/** The recording thread starts from a built file. */
const BUILT = new URL('../../dist/ledger/ledger.js', import.meta.url).href;
const { openLedger } = (await import(BUILT)) as { readonly openLedger: typeof sourceOf };

const IDENTITY: RunIdentity = {
  inputs: ['/leads.csv'],
  content: 'cc',
  mapping: 'aa',
  installation: 'demo http://localhost',
  campaignId: 7,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardline-thread-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** More than is recorded before the thread is called. */
const MANY = 40;

const openRun = async (ledger: Ledger) => {
  const run = await ledger.openRun({ identity: IDENTITY, settings: {}, out: () => folder });
  if (run.kind !== 'open') throw new Error('the run is done');
  return run;
};
const creating = (row: number) => [{ kind: 'creating' as const, rows: [row] }];

test('facts keep their order where the recording thread takes over, and none is lost', async () => {
  const ledger = await openLedger(join(folder, 'run.db'));
  const run = await openRun(ledger);
  const recorded = [];
  for (let row = 0; row < MANY; row++) {
    recorded.push(run.ledger.record(0, creating(row)));
    // Some wait for one another, and some are under way together.
    if (row % 3 === 0) await Promise.all(recorded);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await Promise.all(recorded);
  const facts = await run.ledger.factsOf(0);
  const rows = facts.map((fact) => fact.kind === 'creating' && fact.rows[0]);
  expect(rows).toEqual(Array.from({ length: MANY }, (_, row) => row));
  await run.close();
  await ledger.close();
});

test('a ledger that the recording thread cannot open is told in plain words, and can be closed', async () => {
  const file = join(folder, 'run.db');
  const ledger = await openLedger(file);
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  writeFileSync(file, 'a,b\n'.repeat(1000));
  const run = await openRun(ledger);
  // A busy machine takes its time to start the thread.
  const recordAll = async (): Promise<never> => {
    for (let row = 0; ; row++) {
      await run.ledger.record(0, creating(row));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await expect(recordAll()).rejects.toThrow(/run\.db: the file is not a ledger/);
  await run.close();
  await ledger.close();
});

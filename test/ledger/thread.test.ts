import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunIdentity } from '../../src/core/ledger.js';
import type { openLedger as sourceOf } from '../../src/ledger/ledger.js';

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

test('a ledger that the recording thread cannot open is told in plain words, and can be closed', async () => {
  const file = join(folder, 'run.db');
  const ledger = openLedger(file);
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true });
  writeFileSync(file, 'a,b\n'.repeat(1000));
  const run = ledger.openRun({ identity: IDENTITY, settings: {}, out: () => folder });
  if (run.kind !== 'open') throw new Error('the run is done');
  const recorded = run.ledger.record(0, [{ kind: 'creating', rows: [0] }]);
  await expect(recorded).rejects.toThrow(/run\.db: the file is not a ledger/);
  run.close();
  await ledger.close();
});

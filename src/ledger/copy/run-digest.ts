import { createHash } from 'node:crypto';
import { RUN_COLUMNS, type RunColumn } from '../runs/run-table.js';
import type { RunOnRecord } from './run-transfer.js';

/** What may differ between two copies of one run: who worked on it last, and how it is continued. */
const OWN: ReadonlySet<RunColumn> = new Set(['worker', 'settles_all']);

/** What is on record of a run, in short. */
export interface RunDigest {
  readonly facts: number;
  /** SHA-256 of its line and of all its facts, the same in every ledger. */
  readonly digest: string;
}

export async function digestOf({ row, facts: read }: RunOnRecord): Promise<RunDigest> {
  const hash = createHash('sha256');
  const compared = RUN_COLUMNS.filter((column) => !OWN.has(column));
  hash.update(JSON.stringify(compared.map((column) => row[column])));
  let facts = 0;
  for await (const chunk of read()) {
    facts += chunk.length;
    for (const { chunk: number, kind, data } of chunk)
      hash.update(`\n${number} ${kind} ${data.length} `).update(data);
  }
  return { facts, digest: hash.digest('hex') };
}

import { basename, dirname, resolve } from 'node:path';
import type { RunRecord } from '../../core/ledger.js';
import { REJECTS_NAME } from '../../core/rejects-name.js';
import { hasLedger } from '../run/ledger-path.js';
import { viewLedger } from './find-runs.js';

/** Where rows of a rejects file come from. */
export interface OriginOfRejects {
  /** The first run of them. */
  readonly run: string;
  /** Its input. */
  readonly file: string;
}

/**
 * The run whose rejects a file holds, and its input: rows have other numbers there. Rejects of rejects come from the first
 * of these runs. `null` for another file, and where the run is not on record any more.
 */
export async function originOfRejects(
  ledger: string,
  path: string,
): Promise<OriginOfRejects | null> {
  if (!REJECTS_NAME.test(basename(path)) || !hasLedger(ledger)) return null;
  const runs = await viewLedger(ledger, (view) => view.runs());
  let origin = originIn(runs, path);
  for (let next = origin; next; next = originIn(runs, next.file)) origin = next;
  return origin;
}

function originIn(runs: readonly RunRecord[], path: string): OriginOfRejects | null {
  const [, number = '-1'] = REJECTS_NAME.exec(basename(path)) ?? [];
  const from = runs.find(({ out }) => resolve(out) === dirname(resolve(path)));
  const file = from?.inputs[Number(number.slice(1)) - 1];
  return from && file !== undefined && file !== path ? { run: from.run, file } : null;
}

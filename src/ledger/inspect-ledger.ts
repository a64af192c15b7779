import { constants, accessSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isPostgresAddress } from '../core/ledger.js';
import { guarded } from './fact-table.js';
import type { InspectedLedger } from './inspected-ledger.js';
import { ledgerVersionOf } from './ledger-file.js';
import { locksOf } from './runs/run-lock.js';
import { SCHEMA_VERSION } from './schema.js';

export type { InspectedLedger } from './inspected-ledger.js';

/** @throws NoLedgerError when the file cannot be a ledger, LedgerError when it cannot be looked at */
export async function inspectLedger(path: string): Promise<InspectedLedger> {
  if (isPostgresAddress(path)) {
    const { inspectPostgres } = await import('./postgres/inspect-postgres.js');
    return inspectPostgres(path);
  }
  return guarded(path, () => inspect(path));
}

function inspect(path: string): InspectedLedger {
  const found = ledgerVersionOf(path);
  const file = found?.path ?? resolve(path);
  const folder = existingFolder(dirname(file));
  const places = found ? [file, folder] : [folder];
  return {
    file,
    version: found?.version,
    ownVersion: SCHEMA_VERSION,
    notWritable: places.filter((place) => !isWritable(place)),
    inUse: found ? runsInUse(file) : [],
  };
}

/** A ledger's folder is made with it: what counts is the nearest one that is there. */
function existingFolder(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found !== undefined || dirname(folder) === folder
    ? folder
    : existingFolder(dirname(folder));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs that have a lock beside the ledger which somebody holds. */
function runsInUse(ledger: string): string[] {
  const [prefix, ending] = [`${basename(ledger)}.`, '.lock'];
  const locks = locksOf(join(dirname(ledger), basename(ledger)));
  return readdirSync(dirname(ledger))
    .filter((name) => name.startsWith(prefix) && name.endsWith(ending))
    .map((name) => name.slice(prefix.length, -ending.length))
    .filter((run) => locks.isTaken(run));
}

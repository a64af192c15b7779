import { existsSync, lstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isPostgresAddress } from '../core/ledger.js';
import type { Installation } from '../installation/installation.js';
import { postgresAddress } from '../ledger/port.js';
import { UsageError } from '../core/errors.js';
import { placeProblem, type PlaceKind } from '../files/regular-file.js';

/** Where the facts of runs are kept: what the caller says, else what the installation says, else the usual file here. */
export function ledgerPath(
  wanted: string | undefined,
  installation: Pick<Installation, 'ledger'>,
): string {
  return wanted ?? installation.ledger ?? DEFAULT_LEDGER;
}

/** The ledger as any folder understands it. @throws NoLedgerError when an address is wrong, or holds a password */
export const absoluteLedger = (ledger: string): string =>
  isPostgresAddress(ledger) ? postgresAddress(ledger).name : resolve(ledger);

/** Whether there is a ledger; whether there is one in a database shows when it is opened. */
export const hasLedger = (ledger: string): boolean =>
  isPostgresAddress(ledger) || existsSync(ledger);

/** The file beside which others lie that belong to a ledger; of a ledger in a database, the usual one here. */
export const fileOfLedger = (ledger: string): string =>
  isPostgresAddress(ledger) ? DEFAULT_LEDGER : ledger;

export type { PlaceKind } from '../files/regular-file.js';

/** Options that name a place, by what is going to be there. */
export const PLACE_KINDS = {
  out: 'folder',
  ledger: 'ledger',
  metricsFile: 'metrics',
} as const satisfies Record<string, PlaceKind>;

/** How an option is written, and the ledger that one is copied to. */
const FLAGS: Readonly<Record<string, string>> = { metricsFile: '--metrics-file', to: '<to>' };
const flagOf = (name: string): string => FLAGS[name] ?? `--${name}`;

/**
 * Makes sure that what options name can be written there, before anything else is done: a run that ends without a place
 * for its report has done its work in vain.
 * @param given the values of options by their names; those that name no place are left alone
 * @param shown an option as the person knows it
 * @throws UsageError which names the option, and every place that does not do
 */
export function refuseUnusablePlaces(
  given: Readonly<Record<string, unknown>>,
  kinds: Readonly<Partial<Record<string, PlaceKind>>> = PLACE_KINDS,
  shown = flagOf,
): void {
  const problems = Object.entries(kinds).flatMap(([name, kind]) => {
    const path = given[name];
    if (kind === undefined || typeof path !== 'string') return [];
    if (isNoFile(path, kind)) return [];
    const problem =
      nameProblem(path, kind) ??
      placeProblem(path, kind) ??
      (kind === 'metrics' && isLedger(path, given)
        ? 'is the ledger, and is not replaced'
        : undefined);
    return problem === undefined ? [] : [`${shown(name)}: ${path || '""'} ${problem}.`];
  });
  if (problems.length === 0) return;
  throw new UsageError(`${problems.join('\n')} Give another path; nothing was done.`);
}

/** SQLite's name of a database that is on no disk. */
const IN_MEMORY = ':memory:';

/** Whether an option for a ledger or a sandbox names none on a disk. */
const isNoFile = (path: string, kind: PlaceKind): boolean =>
  kind === 'sandbox' ? path === IN_MEMORY : kind.endsWith('ledger') && isPostgresAddress(path);

/** Why a place does not do, whatever is there. */
function nameProblem(path: string, kind: PlaceKind): string | undefined {
  if (path === '') return 'is empty';
  const isDatabase = kind === 'sandbox' || kind.endsWith('ledger');
  if (!isDatabase) return undefined;
  if (path === IN_MEMORY) return 'is forgotten with the command, and nothing could be continued';
  if (isPostgresAddress(path)) return 'is a database of PostgreSQL; a sandbox keeps a file';
  // Some file systems take capital letters for small ones.
  const [, database] = /^(.*)-(?:wal|shm|journal)$/is.exec(path) ?? [];
  return database && statSync(database, { throwIfNoEntry: false })?.isFile()
    ? 'is a name that SQLite uses beside a database'
    : undefined;
}

function isLedger(path: string, { ledger }: Readonly<Record<string, unknown>>): boolean {
  return resolve(path) === resolve(typeof ledger === 'string' ? ledger : DEFAULT_LEDGER);
}

/**
 * Makes sure that a file which a person goes on to work with is not lost: nothing is there, or it may be replaced.
 * @returns the absolute path, and whether something is there
 * @throws UsageError when something is there that may not be replaced
 */
export function outputPlace(
  path: string,
  force: boolean,
): { readonly file: string; readonly isThere: boolean } {
  const file = resolve(path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new UsageError(`${path} is a folder. Give the path of a file.`);
  if (found && !force)
    throw new UsageError(
      `${path} exists already, and was left as it is. Give another path with -o, or --force to replace it.`,
    );
  return { file, isThere: found !== undefined };
}

/** What holds when neither the command nor a file says otherwise. */
export const DEFAULT_LEDGER = 'cardline.db';

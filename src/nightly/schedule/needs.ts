import { basename, dirname, extname, resolve } from 'node:path';
import { checkDocument } from '../../config/check-document.js';
import { readDocument } from '../../config/document.js';
import { defined } from '../../core/defined.js';
import type { TimeOfDay } from '../../core/time-of-day.js';
import { isPostgresAddress } from '../../core/ledger.js';
import { placeholdersIn } from '../../files/placeholders.js';
import { loadInstallation } from '../../installation/load.js';
import { pickupFileSchema } from '../pickup/schema.js';

/** What whoever starts a watcher by the clock has to provide for it. */
export interface ScheduleNeeds {
  /** For names of units and files. */
  readonly name: string;
  /** Absolute path of the pickup file. */
  readonly file: string;
  /** Folders in which it writes. */
  readonly folders: readonly string[];
  /** Names of credentials, and of variables of the environment, that the files ask for. */
  readonly credentials: readonly string[];
  readonly variables: readonly string[];
  /** Pickups that expect a file, and by when. */
  readonly expected: readonly { readonly name: string; readonly by: TimeOfDay }[];
}

/**
 * Finds out what a pickup file and its installations need. Secrets are not read: who prints a schedule may have none.
 * @throws ConfigurationError where the pickup file or an installation is wrong
 */
export async function scheduleNeeds(path: string): Promise<ScheduleNeeds> {
  const file = resolve(path);
  const folder = dirname(file);
  const { pickups, ledger, metrics } = checkDocument(await readDocument(path), pickupFileSchema);
  const parts = pickups.map((pickup) => resolve(folder, pickup.import.installation));
  const installations = [...new Set(parts)];
  const written = await Promise.all(installations.map(foldersOf));
  const places = pickups
    .filter(({ from }) => !from.includes('://'))
    .flatMap(({ from, after }) => {
      const place = resolve(folder, from);
      return [place, resolve(place, after.good), resolve(place, after.bad)];
    });
  const ledgers = ledger === undefined || isPostgresAddress(ledger) ? [] : [ledger];
  const files = [...ledgers, ...Object.values(defined({ file: metrics?.file }))];
  const secrets = placeholdersIn(
    (await Promise.all([file, ...installations].map(text))).join('\n'),
  );
  return {
    name: basename(file, extname(file)).replaceAll(/[^\w.-]/g, '-'),
    file,
    folders: outermost([
      folder,
      ...places,
      ...files.map((one) => dirname(resolve(folder, one))),
      ...written.flat(),
    ]),
    credentials: namesOf(secrets, 'credential:'),
    variables: secrets.filter((name) => !name.includes(':')),
    expected: pickups.flatMap(({ name, expect }) => (expect ? [{ name, by: expect.by }] : [])),
  };
}

/** What a file says, its comments left out. */
async function text(file: string): Promise<string> {
  return JSON.stringify((await readDocument(file)).value);
}

/** Where an installation's ledger and lists of numbers lie. */
async function foldersOf(file: string): Promise<string[]> {
  const { ledger, suppress = [] } = await loadInstallation(file);
  const stores = suppress.flatMap((list) => ('store' in list ? [dirname(list.store)] : []));
  return [
    ...(ledger === undefined || isPostgresAddress(ledger) ? [] : [dirname(ledger)]),
    ...stores,
  ];
}

const namesOf = (placeholders: readonly string[], kind: string): string[] =>
  placeholders.filter((name) => name.startsWith(kind)).map((name) => name.slice(kind.length));

/** Without those that lie in another one. */
const outermost = (folders: readonly string[]): string[] =>
  [...new Set(folders)]
    .filter((one) => !folders.some((other) => other !== one && one.startsWith(`${other}/`)))
    .toSorted();

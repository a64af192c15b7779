import { createHash } from 'node:crypto';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { checkDocument, mistakeAt } from '../../config/document.js';
import { type PlacedDocument, readDocument, type Path } from '../../config/document.js';
import { ConfigurationError, type ConfigMistake, UsageError } from '../../core/errors.js';
import type { TimeOfDay } from '../../core/time.js';
import { loadInstallation } from '../../installation/installation.js';
import { loadMapping } from '../../mapping/mapping.js';
import { readTable } from '../../source/source.js';
import { WORK } from '../places/place.js';
import { s3Address } from '../places/s3.js';
import { sftpAddress } from '../places/sftp.js';
import { type Pickup, pickupFileSchema, type Target, filledIn, type Secrets } from './schema.js';

/** A target with its secrets, and what it is known by without them. */
export type LoadedTarget = Target & { readonly key: string };

/** A pickup file that is right, its paths absolute and its secrets filled in. */
export interface PickupFile {
  readonly file: string;
  readonly ledger: string | undefined;
  readonly pickups: readonly Pickup[];
  readonly notify: readonly LoadedTarget[];
  /** When a digest is sent; absent where none is. */
  readonly digest?: { readonly at: TimeOfDay } | undefined;
  readonly metrics: { readonly listen?: string | undefined; readonly file?: string | undefined };
  /** Where the watcher keeps its state, unless the ledger is in PostgreSQL. */
  readonly state: string;
  /** Folder for what is fetched and unpacked. */
  readonly work: string;
}

/**
 * Reads a pickup file, and every mapping and installation that it names.
 * @throws ConfigurationError with every mistake of all of them
 */
export async function loadPickups(file: string, secrets: Secrets): Promise<PickupFile> {
  const { settings, mistakes } = await readPickups(file, secrets);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return settings;
}

/**
 * Reads a pickup file as `loadPickups` does, and gives what can be read of it with the mistakes of the rest.
 * @throws ConfigurationError where the file itself is no pickup file
 */
export async function readPickups(
  file: string,
  secrets: Secrets,
): Promise<{ readonly settings: PickupFile; readonly mistakes: readonly ConfigMistake[] }> {
  const document = await readDocument(file);
  const read = checkDocument(document, pickupFileSchema);
  const folder = dirname(resolve(file));
  const pickups = read.pickups.map((pickup) => withPaths(pickup, folder));
  const mistakes = await mistakesOfParts(document, pickups);
  for (const [index, pickup] of pickups.entries())
    for (const [path, text] of [...placeMistakes(pickup, secrets), ...shelfMistakes(pickup)])
      mistakes.push(mistakeAt(document, ['pickups', index, ...path], text));
  const notify: LoadedTarget[] = [];
  for (const [index, target] of read.notify.entries()) {
    const filled = filledTarget(target, secrets);
    notify.push({ ...filled.target, key: keyOf(target) });
    for (const [key, text] of filled.mistakes)
      mistakes.push(mistakeAt(document, ['notify', index, key], text));
  }
  const inFolder = (name: string | undefined) =>
    name === undefined ? undefined : resolve(folder, name);
  const settings = {
    file,
    ledger: read.ledger?.includes('://') === true ? read.ledger : inFolder(read.ledger),
    pickups,
    notify,
    digest: read.digest,
    metrics: { listen: read.metrics?.listen, file: inFolder(read.metrics?.file) },
    state: join(folder, `${basename(file, extname(file))}.state.db`),
    work: join(folder, `${basename(file, extname(file))}.work`),
  };
  return { settings, mistakes };
}

type PickupMistake = readonly [path: Path, text: string];

/** What is put away must not arrive again. */
function shelfMistakes({ from, after }: Pickup): PickupMistake[] {
  const at = from.includes('://') ? '/in' : resolve(from);
  const work = resolve(at, WORK);
  return (['good', 'bad'] as const)
    .filter((key) => {
      const shelf = resolve(at, after[key]);
      return shelf === at || `${shelf}/`.startsWith(`${work}/`);
    })
    .map((key) => [
      ['after', key],
      'this is the folder in which files arrive or are worked on. Name another one.',
    ]);
}

const SCHEMES = /^(?:sftp|s3):\/\//;

/** What is wrong with the address of a place, and with the secrets that enter it. */
function placeMistakes(pickup: Pickup, secrets: Secrets): PickupMistake[] {
  const { from, sftp, s3 } = pickup;
  const scheme = /^[a-z0-9+.-]+(?=:\/\/)/i.exec(from)?.[0];
  const found: PickupMistake[] = [];
  if (scheme !== undefined && !SCHEMES.test(from))
    found.push([['from'], `${scheme}:// is not known; a place is a folder, sftp:// or s3://.`]);
  if (sftp && scheme !== 'sftp') found.push([['sftp'], 'this is for sftp:// alone.']);
  if (s3 && scheme !== 's3') found.push([['s3'], 'this is for s3:// alone.']);
  try {
    if (scheme === 'sftp') sftpAddress(from);
    if (scheme === 's3') s3Address(from);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    found.push([['from'], error.message]);
  }
  for (const [part, settings] of Object.entries({ sftp, s3 }))
    for (const [key, text] of Object.entries(settings ?? {})) {
      const { mistake } = filledIn(text ?? '', secrets);
      if (mistake !== undefined) found.push([[part, key], mistake]);
    }
  return found;
}

function withPaths(pickup: Pickup, folder: string): Pickup {
  const { from, sftp, import: settings } = pickup;
  const inHome = (path: string | undefined): string | undefined =>
    path === undefined || path.startsWith('~/') ? path : resolve(folder, path);
  return {
    ...pickup,
    sftp: sftp && { ...sftp, key: inHome(sftp.key), knownHosts: inHome(sftp.knownHosts) },
    from: from.includes('://') ? from : resolve(folder, from),
    import: {
      ...settings,
      mapping: resolve(folder, settings.mapping),
      installation: resolve(folder, settings.installation),
    },
  };
}

/** The same after a secret was replaced: placeholders stand for themselves. */
const keyOf = (target: Target): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        target.to === 'email' ? target.recipients : [target.url, target.body, target.chat],
      ),
    )
    .digest('hex');

const partsOf = ({ import: { mapping, installation, options } }: Pickup) =>
  [
    ['mapping', mapping, () => loadMapping(mapping, { readTable, mode: options.mode })],
    ['installation', installation, () => loadInstallation(installation)],
  ] as const;

/** What is wrong in the mappings and installations; a file that is not there is a mistake of the line that names it. */
async function mistakesOfParts(
  document: PlacedDocument,
  pickups: readonly Pickup[],
): Promise<ConfigMistake[]> {
  const mistakes: ConfigMistake[] = [];
  const seen = new Set<string>();
  for (const [index, pickup] of pickups.entries())
    for (const [key, file, load] of partsOf(pickup)) {
      const part = `${key} ${file} ${pickup.import.options.mode ?? ''}`;
      if (seen.has(part)) continue;
      seen.add(part);
      const found = await mistakesIn(load());
      const isMissing = found.some(
        ({ line, message }) => line === undefined && /no such file/.test(message),
      );
      const place: Path = ['pickups', index, 'import', key];
      if (!isMissing) mistakes.push(...found);
      else
        mistakes.push(
          mistakeAt(document, place, 'there is no such file.', 'Check the name and the folder.'),
        );
    }
  return mistakes;
}

/** Whether the mapping and the installation of a pickup are right now. */
export async function arePartsRight(pickup: Pickup): Promise<boolean> {
  for (const [, , load] of partsOf(pickup)) if ((await mistakesIn(load())).length > 0) return false;
  return true;
}

async function mistakesIn(loading: Promise<unknown>): Promise<readonly ConfigMistake[]> {
  try {
    await loading;
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.mistakes;
    throw error;
  }
}

/** A target with its secrets, and what is wrong with it, by its keys. */
function filledTarget(target: Target, secrets: Secrets) {
  const mistakes: [key: string, text: string][] = [];
  const filled = (key: string, text: string): string => {
    const { text: value, mistake } = filledIn(text, secrets);
    if (mistake !== undefined) mistakes.push([key, mistake]);
    return value;
  };
  const address = (key: string, text: string, secure: string, plain: string): string => {
    const value = filled(key, text);
    if (mistakes.length === 0 && !value.startsWith(secure) && !value.startsWith(plain))
      mistakes.push([key, `it must begin with ${secure} or ${plain}.`]);
    return value;
  };
  if (target.to === 'email') {
    const smtp = address('smtp', target.smtp, 'smtps://', 'smtp://');
    return { target: { ...target, smtp }, mistakes };
  }
  const url = address('url', target.url, 'https://', 'http://');
  const secret = target.secret === undefined ? undefined : filled('secret', target.secret);
  if (target.body === 'telegram' && target.chat === undefined)
    mistakes.push(['body', 'telegram needs "chat", the id of the chat that it posts to.']);
  return { target: { ...target, url, secret }, mistakes };
}

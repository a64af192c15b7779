import { createHash } from 'node:crypto';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { checkDocument, mistakeAt } from '../../config/check-document.js';
import { type PlacedDocument, readDocument, type Path } from '../../config/document.js';
import { ConfigurationError, type ConfigMistake, UsageError } from '../../core/errors.js';
import type { TimeOfDay } from '../../core/hours.js';
import { loadInstallation } from '../../installation/load.js';
import { loadMapping } from '../../mapping/load.js';
import { readTable } from '../../source/source.js';
import { WORK } from '../places/place.js';
import { s3Address, sftpAddress } from '../places/addresses.js';
import {
  type SftpAccess,
  type EmailTarget,
  type Pickup,
  pickupFileSchema,
  type Target,
  type WebhookTarget,
  filledIn,
  type Secrets,
} from './schema.js';

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
  const mistakes: ConfigMistake[] = await mistakesOfParts(document, pickups);
  for (const [index, pickup] of pickups.entries())
    mistakes.push(
      ...placeMistakes(pickup, secrets).map(([path, text]) =>
        mistakeAt(document, ['pickups', index, ...path], text),
      ),
      ...shelfMistakes(pickup).map(([key, text]) =>
        mistakeAt(document, ['pickups', index, 'after', key], text),
      ),
    );
  const notify: LoadedTarget[] = [];
  for (const [index, target] of read.notify.entries()) {
    const filled = filledTarget(target, secrets);
    notify.push({ ...filled.target, key: keyOf(target) });
    for (const { key, text } of filled.mistakes)
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

/** What is put away must not arrive again. */
function shelfMistakes({ from, after }: Pickup): (readonly ['good' | 'bad', string])[] {
  const at = from.includes('://') ? '/in' : from;
  const work = resolve(at, WORK);
  return (['good', 'bad'] as const).flatMap((key) => {
    const shelf = resolve(at, after[key]);
    return shelf === resolve(at) || shelf === work || shelf.startsWith(`${work}/`)
      ? [[key, 'this is the folder in which files arrive or are worked on. Name another one.']]
      : [];
  });
}

const SCHEMES = /^(?:sftp|s3):\/\//;

/** What is wrong with the address of a place, and with the secrets that enter it. */
function placeMistakes(pickup: Pickup, secrets: Secrets): (readonly [Path, string])[] {
  const { from, sftp, s3 } = pickup;
  const scheme = /^[a-z0-9+.-]+(?=:\/\/)/i.exec(from)?.[0];
  const found: (readonly [Path, string])[] = [];
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
    for (const [key, text] of Object.entries(settings ?? {}))
      for (const mistake of filledIn(text ?? '', secrets).mistakes)
        found.push([[part, key], mistake]);
  return found;
}

const withPaths = (pickup: Pickup, folder: string): Pickup => ({
  ...pickup,
  ...(pickup.sftp === undefined ? {} : { sftp: withKeyPaths(pickup.sftp, folder) }),
  from: pickup.from.includes('://') ? pickup.from : resolve(folder, pickup.from),
  import: {
    ...pickup.import,
    mapping: resolve(folder, pickup.import.mapping),
    installation: resolve(folder, pickup.import.installation),
  },
});

function withKeyPaths(access: SftpAccess, folder: string): SftpAccess {
  const own = (path: string): string => (path.startsWith('~/') ? path : resolve(folder, path));
  const { key, knownHosts } = access;
  return {
    ...access,
    ...(key === undefined ? {} : { key: own(key) }),
    ...(knownHosts === undefined ? {} : { knownHosts: own(knownHosts) }),
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

/** What is wrong in the mappings and installations; a file that is not there is a mistake of the line that names it. */
async function mistakesOfParts(
  document: PlacedDocument,
  pickups: readonly Pickup[],
): Promise<ConfigMistake[]> {
  const mistakes: ConfigMistake[] = [];
  const seen = new Set<string>();
  for (const [index, { import: settings }] of pickups.entries()) {
    const { mode } = settings.options;
    const parts = [
      {
        key: 'mapping',
        file: settings.mapping,
        load: () => loadMapping(settings.mapping, { readTable, mode }),
      },
      {
        key: 'installation',
        file: settings.installation,
        load: () => loadInstallation(settings.installation),
      },
    ] as const;
    for (const { key, file, load } of parts) {
      if (seen.has(`${key} ${file} ${mode ?? ''}`)) continue;
      seen.add(`${key} ${file} ${mode ?? ''}`);
      mistakes.push(...(await mistakesIn(load(), document, ['pickups', index, 'import', key])));
    }
  }
  return mistakes;
}

/** Whether the mapping and the installation of a pickup are right now. */
export async function arePartsRight({ import: settings }: Pickup): Promise<boolean> {
  try {
    await loadMapping(settings.mapping, { readTable, mode: settings.options.mode });
    await loadInstallation(settings.installation);
    return true;
  } catch (error) {
    if (error instanceof ConfigurationError) return false;
    throw error;
  }
}

async function mistakesIn(
  loading: Promise<unknown>,
  document: PlacedDocument,
  path: Path,
): Promise<readonly ConfigMistake[]> {
  try {
    await loading;
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const isMissing = error.mistakes.some(
      ({ line, message }) => line === undefined && /no such file/.test(message),
    );
    return isMissing
      ? [mistakeAt(document, path, 'there is no such file.', 'Check the name and the folder.')]
      : error.mistakes;
  }
}

interface FilledTarget {
  readonly target: Target;
  readonly mistakes: readonly { readonly key: string; readonly text: string }[];
}

const filledTarget = (target: Target, secrets: Secrets): FilledTarget =>
  target.to === 'webhook' ? filledWebhook(target, secrets) : filledEmail(target, secrets);

function filledWebhook(target: WebhookTarget, secrets: Secrets): FilledTarget {
  const url = filledIn(target.url, secrets);
  const secret = target.secret === undefined ? undefined : filledIn(target.secret, secrets);
  const mistakes = [
    ...url.mistakes.map((text) => ({ key: 'url', text })),
    ...(secret?.mistakes ?? []).map((text) => ({ key: 'secret', text })),
  ];
  if (url.mistakes.length === 0 && !/^https?:\/\//.test(url.text))
    mistakes.push({ key: 'url', text: 'it must begin with https:// or http://.' });
  if (target.body === 'telegram' && target.chat === undefined)
    mistakes.push({
      key: 'body',
      text: 'telegram needs "chat", the id of the chat that it posts to.',
    });
  return { target: { ...target, url: url.text, secret: secret?.text }, mistakes };
}

function filledEmail(target: EmailTarget, secrets: Secrets): FilledTarget {
  const smtp = filledIn(target.smtp, secrets);
  const mistakes = smtp.mistakes.map((text) => ({ key: 'smtp', text }));
  if (mistakes.length === 0 && !/^smtps?:\/\//.test(smtp.text))
    mistakes.push({ key: 'smtp', text: 'it must begin with smtps:// or smtp://.' });
  return { target: { ...target, smtp: smtp.text }, mistakes };
}

import { lastTimeOfDay, timeOfDayText, EVERY_DAY } from '../../core/time.js';
import type { Pickup } from '../pickup/schema.js';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../core/errors.js';
import {
  fitsPattern,
  type ArrivedFile,
  type ClaimedFile,
  type Place,
  digestIn,
} from '../places/place.js';

/**
 * Whether a file is late. Pure. `watchedSince`: nothing is said of times before anybody looked; `lastTaken`: when the
 * last file was taken; a file counts for a time when it has come since the same time of the day before. `due`: by when it
 * should have come, in milliseconds since the epoch.
 */
export function lateAt(
  { files, expect }: Pick<Pickup, 'files' | 'expect'>,
  now: number,
  watchedSince: number,
  lastTaken: number | null,
): { readonly due: number; readonly sentence: string } | null {
  if (!expect) return null;
  const due = lastTimeOfDay(expect.by, expect.days ?? EVERY_DAY, now);
  if (due > now || due <= watchedSince) return null;
  // Not 24 hours: a day on which clocks change has one more, or one less.
  if (lastTaken !== null && lastTaken > lastTimeOfDay(expect.by, EVERY_DAY, due - 1)) return null;
  return { due, sentence: `${files} has not come by ${timeOfDayText(expect.by)}.` };
}

type Ready = Pickup['ready'];

/** Name of the file that says that another one is whole; `null` where time says so. */
export const signOf = (ready: Ready, name: string): string | null =>
  'stableFor' in ready
    ? null
    : ('marker' in ready ? ready.marker : ready.manifest).replaceAll('{name}', () => name);

/** How long the sign of a file is waited for by whoever ends when all was taken, in milliseconds. */
const SIGN_MS = 10 * 60_000;

/** The files that a pickup is about. What says that another one is whole is none of them, whatever its name. */
export function arrivals(
  all: readonly ArrivedFile[],
  { files, ready }: Pick<Pickup, 'files' | 'ready'>,
): ArrivedFile[] {
  const signs = new Set(all.map(({ name }) => signOf(ready, name)));
  return all.filter(({ name }) => fitsPattern(name, files) && !signs.has(name));
}

/** A file with when it was first seen as it is, by a clock that only goes forward, in milliseconds. */
export interface SeenFile extends ArrivedFile {
  readonly since: number;
}

/** The files as they were seen; `now` by the same clock. One that has changed begins anew. */
export function sightings(
  before: readonly SeenFile[],
  files: readonly ArrivedFile[],
  now: number,
): SeenFile[] {
  const known = new Map(before.map((file) => [file.name, file]));
  return files.map((file) => {
    const seen = known.get(file.name);
    const isSame = seen?.size === file.size && seen.version === file.version;
    return { ...file, since: isSame ? seen.since : now };
  });
}

/**
 * What is to be done with a file: take it where it looks whole, wait for that, or no longer wait for a sign that has not
 * come. An empty file may be about to be written, and waits as well. `names`: all that lies there.
 */
export function stageOf(
  ready: Ready,
  { name, since }: SeenFile,
  names: ReadonlySet<string>,
  now: number,
): 'whole' | 'waiting' | 'unsigned' {
  if ('stableFor' in ready) return now - since >= ready.stableFor ? 'whole' : 'waiting';
  if (names.has(signOf(ready, name) ?? '')) return 'whole';
  return now - since < SIGN_MS ? 'waiting' : 'unsigned';
}

/** What is wrong with a file beside its manifest, in words; `null` where nothing is. */
export async function mistakeByManifest(
  ready: Ready,
  place: Place,
  file: ClaimedFile,
): Promise<string | null> {
  if (!('manifest' in ready)) return null;
  const sign = signOf(ready, file.name) ?? '';
  const manifest = await place.readText(sign);
  // It is discarded once the file was held against it.
  if (manifest === null) return null;
  const wanted = digestIn(manifest, file.name);
  if (wanted === undefined)
    return `${sign} has no SHA-256 of ${file.name}, as sha256sum writes it.`;
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file.path), hash);
  } catch (error) {
    const code = codeOf(error);
    if (code === '') throw error;
    return `${file.name} cannot be read (${code}). Check its permissions.`;
  }
  return hash.digest('hex') === wanted
    ? null
    : `${file.name} is not what ${sign} says: its SHA-256 is another one. It was cut short or changed on its way.`;
}

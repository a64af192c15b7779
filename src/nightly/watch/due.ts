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
  isStable,
  type Sighting,
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

/** Whether it is worth to wait until a file is whole: a sign may never come. */
export const mayWait = (ready: Ready, seen: Sighting | undefined, elapsed: number): boolean =>
  'stableFor' in ready || (seen !== undefined && elapsed - seen.since < SIGN_MS);

/** Whether a file looks whole. `elapsed`: by the clock of the sightings. */
export function looksWhole(
  ready: Ready,
  file: ArrivedFile,
  names: ReadonlySet<string>,
  seen: ReadonlyMap<string, Sighting>,
  elapsed: number,
): boolean {
  if ('stableFor' in ready) return isStable(seen.get(file.name), ready.stableFor, elapsed);
  const sign = signOf(ready, file.name);
  return sign !== null && names.has(sign);
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

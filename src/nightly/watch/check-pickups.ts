import { access, constants, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../core/errors/error-code.js';
import { CardlineError } from '../../core/errors/errors.js';
import { loadPickups } from '../pickup/load.js';
import type { Secrets } from '../pickup/secrets.js';
import { openPlace } from '../places/open-place.js';
import { NOTHING_KEPT } from '../places/memory.js';

/** What was found of a place. */
export interface PlaceFinding {
  /** Name of the pickup, or `metrics`. */
  readonly pickup: string;
  readonly place: string;
  /** Why it cannot be used, in words; `null` when it can. */
  readonly mistake: string | null;
  /** What else is to be known of it. */
  readonly note: string | null;
}

/**
 * Looks at a pickup file, its mappings and installations, and whether its places can be read and written. Takes nothing.
 * @throws ConfigurationError with every mistake of the files
 */
export async function checkPickups(file: string, secrets: Secrets): Promise<PlaceFinding[]> {
  const { pickups, work, metrics } = await loadPickups(file, secrets);
  const places = await Promise.all(
    pickups.map(async (pickup) => {
      const place = openPlace(pickup, {
        ...{ memory: NOTHING_KEPT, work: join(work, pickup.name), env: secrets },
      });
      const found = { pickup: pickup.name, place: place.words };
      try {
        return { ...found, mistake: null, note: await place.check() };
      } catch (error) {
        if (error instanceof CardlineError) return { ...found, mistake: error.message, note: null };
        throw error;
      } finally {
        await place.close();
      }
    }),
  );
  const collected = metrics.file;
  return collected === undefined ? places : [...places, await checkMetricsFile(collected)];
}

/** A file of metrics is no reason to stop a watcher, and so nobody would notice later that it is missing. */
async function checkMetricsFile(file: string): Promise<PlaceFinding> {
  const found = { pickup: 'metrics', place: file, note: null };
  const folder = dirname(file);
  try {
    await stat(folder);
    await access(folder, constants.W_OK);
    return { ...found, mistake: null };
  } catch (error) {
    const mistake =
      codeOf(error) === 'ENOENT'
        ? `there is no folder ${folder}. Make it, or leave metrics.file out.`
        : `${folder} cannot be written to (${codeOf(error)}). Check its rights.`;
    return { ...found, mistake };
  }
}

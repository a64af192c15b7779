import { join } from 'node:path';
import { CardlineError } from '../../core/errors/errors.js';
import { loadPickups } from '../pickup/load.js';
import type { Secrets } from '../pickup/secrets.js';
import { openPlace } from '../places/open-place.js';
import { NOTHING_KEPT } from '../places/memory.js';

/** What was found of a place. */
export interface PlaceFinding {
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
  const { pickups, work } = await loadPickups(file, secrets);
  return Promise.all(
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
}

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
      const mistake = await place
        .check()
        .then(
          () => null,
          (error: unknown) => {
            if (error instanceof CardlineError) return error.message;
            throw error;
          },
        )
        .finally(() => place.close());
      return { pickup: pickup.name, place: place.words, mistake };
    }),
  );
}

import { UsageError } from '../../core/errors/errors.js';
import type { Pickup } from '../pickup/schema.js';
import type { Secrets } from '../pickup/secrets.js';
import { FolderPlace } from './folder.js';
import type { Place, PlaceMemory } from './place.js';

/** What places need beside their settings. */
export interface PlaceParts {
  readonly memory: PlaceMemory;
  /** Folder on this machine for what is fetched. */
  readonly work: string;
  readonly env: Secrets;
}

/** The place of a pickup. @throws UsageError for one that this version does not know */
export function openPlace({ from, after, name }: Pickup, _parts: PlaceParts): Place {
  const [scheme] = /^[a-z0-9]+(?=:\/\/)/i.exec(from) ?? [];
  if (scheme !== undefined)
    throw new UsageError(
      `pickup "${name}": files are taken from a folder; ${scheme}:// is not known.`,
    );
  return new FolderPlace({ from, name, shelves: { good: after.good, bad: after.bad } });
}

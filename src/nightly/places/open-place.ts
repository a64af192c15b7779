import { UsageError } from '../../core/errors/errors.js';
import type { Pickup } from '../pickup/schema.js';
import { FolderPlace } from './folder.js';
import type { Place } from './place.js';

/** The place of a pickup. @throws UsageError for one that this version does not know */
export function openPlace({ from, after, name }: Pick<Pickup, 'from' | 'after' | 'name'>): Place {
  const [scheme] = /^[a-z0-9]+(?=:\/\/)/i.exec(from) ?? [];
  if (scheme !== undefined)
    throw new UsageError(
      `pickup "${name}": files are taken from a folder; ${scheme}:// is not known.`,
    );
  return new FolderPlace({ from, shelves: { good: after.good, bad: after.bad } });
}

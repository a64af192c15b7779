import { basename } from 'node:path';
import { originOfRejects, type OriginOfRejects } from '../../../history/runs.js';
import type { RejectsOf } from '../../shared/list.js';
import type { SiteSettings } from '../settings.js';

/** Where the rows of a file come from, as far as it is one of rejects. */
export async function rejectsOf(
  path: string | undefined,
  { ledger }: Pick<SiteSettings, 'ledger'>,
): Promise<RejectsOf | null> {
  return shownOrigin(path === undefined ? null : await originOfRejects(ledger, path));
}

/** Without the folder, which is nobody's concern but the server's. */
export const shownOrigin = (origin: OriginOfRejects | null): RejectsOf | null =>
  origin && { run: origin.run, file: basename(origin.file) };

import { CardlineError } from '../core/errors.js';
import { syncFields } from '../installation/installation.js';
import type { RunRecord } from '../core/ledger.js';
import { loadInstallation } from '../installation/load.js';

/**
 * Names of a run's `count` synchronization identifiers, in their order. The run's record ends with them; only where one
 * of them holds a space, the installation file of the run is asked. Where that is gone, they are numbered.
 *
 * @param count how many identifiers a row has; `null` when there is no row
 * @param file gives the path of the installation file
 */
export async function identifierNames(
  { installation }: Pick<RunRecord, 'installation'>,
  count: number | null,
  file: () => string,
): Promise<readonly string[]> {
  const words = /(?: another address| https?:\/\/\S+) (.*)$/s.exec(installation)?.[1]?.split(' ');
  if (words && (count === null || words.length === count)) return words;
  const configured = await namesIn(file);
  if (configured.length === count) return configured;
  return Array.from({ length: count ?? 0 }, (_, index) => `identifier ${index + 1}`);
}

async function namesIn(file: () => string): Promise<string[]> {
  try {
    return syncFields((await loadInstallation(file())).card);
  } catch (error) {
    // It may have been moved or changed since; the report does without.
    if (error instanceof CardlineError) return [];
    throw error;
  }
}

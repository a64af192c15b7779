import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { type RunningCheck, startCheck } from '../../../run/start-check.js';
import type { CheckResult } from '../../../run/requests.js';
import { readMappingText, writtenColumns } from '../../../setup/mappings.js';
import type { Correction } from '../../../core/table.js';
import { defined } from '../../../core/defined.js';
import { correctionsPath, readCorrections } from '../lists/corrections.js';
import type { StoredList } from '../lists/lists.js';
import { sourceOptions } from '../lists/source-options.js';
import type { RejectsOf } from '../../shared/list.js';
import { rejectsOf } from '../results/rejects-of.js';
import type { SiteBase } from '../site-base.js';
import { mappingPathOf } from '../lists/mapping.js';
import type { ColumnsOf } from './mending-columns.js';
import type { Revisions } from './revision.js';
import { join } from 'node:path';

/** A check of a list, which its tabs share. */
export interface KeptCheck extends Revisions {
  readonly list: StoredList;
  readonly rejectsOf: RejectsOf | null;
  readonly running: RunningCheck;
  /** What was sentences of the list and its file beside its rows. */
  readonly sentences: readonly string[];
  /** The cells that were corrected when it began. */
  readonly corrections: readonly Correction[];
  /** By its mapping. */
  readonly columnsOf: ColumnsOf;
  /** Resolves at its end, however it ends. */
  readonly ended: Promise<CheckEnd>;
  /** Aborted when another one has taken its place, or it was closed. */
  readonly gone: AbortSignal;
}

export type CheckEnd = { readonly result: CheckResult } | { readonly error: unknown };

/**
 * Begins to check a list.
 * @throws ConfigurationError for corrections that cannot be read, and what the file system says
 */
export async function beginCheck(
  list: StoredList,
  revisions: Revisions,
  site: Pick<SiteBase, 'lists' | 'settings'>,
  gone: AbortSignal,
): Promise<KeptCheck> {
  const { settings } = site;
  const mapping = mappingPathOf(site, list);
  const folder = site.lists.workFolder(list.id);
  // Nobody has written there yet where the list is only read.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOldIndexes(folder);
  const corrections = await readCorrections(list);
  const columnsOf = writtenColumns(await readMappingText(mapping));
  const sentences: string[] = [];
  const running = await startCheck({
    onWarning: (message) => sentences.push(message),
    ...{ files: [list.file], mapping, folder, show: 0, source: sourceOptions(list.source) },
    ...defined({
      installation: settings.center?.installation,
      ledger: settings.ledger,
      corrections: await correctionsPath(list),
    }),
  });
  const ended = running.result.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const from = await rejectsOf(list.file, settings);
  const found = { rejectsOf: from, running, sentences, corrections, columnsOf, ended, gone };
  return { ...revisions, list, ...found };
}

const INDEX = /^check-\w+\.index$/;
/** An index that nobody has written to for so long was left by a server that was killed, in milliseconds. */
const LEFT_MS = 60 * 60 * 1000;

/** Removes the indexes of checks that a killed server has left. One that is in use where it is not removed stays. */
async function removeOldIndexes(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!INDEX.test(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    // Where an open file cannot be removed, it goes with its own server or with the list.
    if (found && now - found.mtimeMs > LEFT_MS) await rm(path, { force: true }).catch(() => null);
  }
}

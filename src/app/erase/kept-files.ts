import { existsSync, readFileSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../../core/errors.js';
import type { RunRecord } from '../../core/ledger.js';
import { type ReportFormat, FORMATS, REPORT_FORMATS } from '../../report/formats.js';

/** Files that runs leave in the folders of their reports. */
export type KeptKind = 'report' | 'rows' | 'other';

export interface KeptFile {
  readonly path: string;
  readonly name: string;
  /** `report`: made from the ledger alone; `rows`: it has rows of the inputs; `other`: it names nobody. */
  readonly kind: KeptKind;
}

const ENDINGS = REPORT_FORMATS.map((format: ReportFormat) => FORMATS[format].ending.slice(1)).join(
  '|',
);
const KINDS: readonly (readonly [RegExp, KeptKind])[] = [
  [new RegExp(`^report(-[a-z_-]+)?\\.(${ENDINGS})$`), 'report'],
  [/^(rejects|fixes)(-\d+)?\.(csv|xlsx)$/, 'rows'],
  [/^(summary\.json|run\.log)$/, 'other'],
];

/** What a file of this name is to a run; `undefined`: somebody else's. */
export const kindOf = (name: string): KeptKind | undefined =>
  KINDS.find(([pattern]) => pattern.test(name))?.[1];

/** What a run has left in the folder of its report. Nothing where the folder has that of a later run. */
export function keptFiles({ run, out }: Pick<RunRecord, 'run' | 'out'>): KeptFile[] {
  const owner = ownerOf(out);
  if (owner !== undefined && owner !== run) return [];
  return namesIn(out).flatMap((name) => {
    const kind = kindOf(name);
    return kind ? [{ path: join(out, name), name, kind }] : [];
  });
}

/** Removes what a run has left there, and the folder where nothing else is in it. */
export function removeKept(run: Pick<RunRecord, 'run' | 'out'>): void {
  for (const { path } of keptFiles(run)) rmSync(path, { force: true });
  if (existsSync(run.out) && namesIn(run.out).length === 0) rmdirSync(run.out);
}

const summary = z.object({ run: z.string() });

/** The run whose summary is in a folder; `undefined`: none. */
function ownerOf(folder: string): string | undefined {
  try {
    const text = readFileSync(join(folder, 'summary.json'), 'utf8');
    return summary.safeParse(JSON.parse(text)).data?.run;
  } catch (error) {
    if (error instanceof SyntaxError || isAbsent(error)) return undefined;
    throw error;
  }
}

const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../../../core/errors.js';
import type { CheckOutcome } from '../../../core/quality.js';
import type { RunRecord } from '../../../core/ledger.js';

const summary = z.object({
  run: z.string(),
  checks: z.array(
    z.object({
      ...{ subject: z.string(), holds: z.boolean(), else: z.enum(['stop', 'warn']) },
      ...{ rows: z.number(), of: z.number(), limit: z.string() },
      examples: z.array(
        z.object({ input: z.number(), sheet: z.string().nullable(), row: z.number() }),
      ),
    }),
  ),
});

/** What the checks of a run's list came to, from its summary: none where that is gone, or of another run. */
export async function keptChecks({
  run,
  out,
}: Pick<RunRecord, 'run' | 'out'>): Promise<readonly CheckOutcome[]> {
  const found = summary.safeParse(await readJson(join(out, 'summary.json'))).data;
  return found?.run === run ? found.checks : [];
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || ABSENT.has(codeOf(error))) return undefined;
    throw error;
  }
}

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);

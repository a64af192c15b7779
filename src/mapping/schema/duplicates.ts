import { z } from 'zod';
import {
  DEFAULT_DAYS,
  DUPLICATE_KINDS,
  type DuplicateKind,
  type DuplicateRule,
} from '../../core/duplicates.js';
import { report } from './value.js';

const RULES = {
  sync: 'same identifiers',
  phone: 'any phone the same',
} as const satisfies Record<DuplicateKind, string>;

const MAX_DAYS = 3660;

/** What belongs beside `within: runs`. */
const OF_RUNS = ['days', 'campaign'] as const;

const keep = z
  .enum(['first', 'last'])
  .optional()
  .describe('Which row of the file is sent: the first one, or the last. Default: first.');

const ofRuns = {
  days: z
    .int()
    .min(1)
    .max(MAX_DAYS)
    .optional()
    .describe(`For how many days rows of earlier runs count. Default: ${DEFAULT_DAYS}.`),
  campaign: z
    .enum(['same', 'any'])
    .optional()
    .describe('Which earlier runs count: those with the same campaign, or any. Default: same.'),
} as const;

type Usual = 'sync' | 'none';

/** What makes a row a duplicate where rows have no phones. */
export const duplicatesBySync = (usual: Usual) =>
  z
    .strictObject({ by: bySync(usual), within: withinFile, keep })
    .prefault({})
    .describe('What makes a row a duplicate, which is then skipped.');

/** What makes a row a duplicate. */
export const duplicatesByAny = (usual: Usual) =>
  z
    .strictObject({ by: byAny(usual), within: withinFile, keep })
    .prefault({})
    .describe('What makes a row a duplicate, which is then skipped.');

/** The same where rows can be compared with those that earlier runs created or enqueued. */
export const duplicatesOverTime = (usual: Usual) =>
  z
    .strictObject({ by: byAny(usual), within, ...ofRuns, keep })
    .check((context) => {
      const { value } = context;
      if (value.within === 'runs') return;
      for (const name of OF_RUNS)
        if (value[name] !== undefined)
          report([`"${name}" belongs beside "within: runs".`], context);
    })
    .prefault({})
    .describe('What makes a row a duplicate, which is then skipped.');

const withinFile = z
  .enum(['file'])
  .optional()
  .describe('Rows are compared with the others of the import.');

const within = z
  .enum(['file', 'runs'])
  .optional()
  .describe(
    'file: rows are compared with the others of the import; runs: also with those that earlier runs created or ' +
      'enqueued. Default: file.',
  );

const bySync = (usual: Usual) =>
  z
    .union([z.enum(['sync', 'none']), z.array(z.enum(['sync'])).min(1)])
    .default(usual)
    .describe(
      `${rulesOf(['sync'])}; none: duplicates are sent. Several are a list. Default: ${usual}.`,
    );

const byAny = (usual: Usual) =>
  z
    .union([z.enum(['sync', 'phone', 'none']), z.array(z.enum(DUPLICATE_KINDS)).min(1)])
    .default(usual)
    .describe(
      `${rulesOf(DUPLICATE_KINDS)}; none: duplicates are sent. Several are a list. Default: ${usual}.`,
    );

const rulesOf = (kinds: readonly DuplicateKind[]): string =>
  kinds.map((kind) => `${kind}: ${RULES[kind]}`).join('; ');

/** A rule as it is written, in any mode. */
interface WrittenRule {
  readonly by: DuplicateKind | 'none' | readonly DuplicateKind[];
  readonly within?: DuplicateRule['within'] | undefined;
  readonly days?: number | undefined;
  readonly campaign?: DuplicateRule['campaign'] | undefined;
  readonly keep?: DuplicateRule['keep'] | undefined;
}

/** The rule with all that it leaves to its defaults. */
export function duplicateRule(written: WrittenRule): DuplicateRule {
  const { by, within, days, campaign, keep } = written;
  const kinds: readonly (DuplicateKind | 'none')[] = typeof by === 'string' ? [by] : by;
  return {
    by: DUPLICATE_KINDS.filter((kind) => kinds.includes(kind)),
    within: within ?? 'file',
    days: days ?? DEFAULT_DAYS,
    campaign: campaign ?? 'same',
    keep: keep ?? 'first',
  };
}

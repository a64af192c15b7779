import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { isInterruption, StopRun } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import type { ColumnUse } from '../mapping/column-uses.js';
import { type MappingEdit, editMapping } from '../mapping/edit.js';
import { dateLook, NEEDS_NO_PATTERN, patternsOf } from '../mapping/transforms/date/dates.js';
import { checkFiles } from './check.js';
import { ProblemGroups, type ProblemGroup } from './problems.js';
import type { CheckRequest } from './requests.js';

/** Rows on which remedies are tried: the first ones of a list. */
export const TRIED_ROWS = 10_000;

/** What a remedy does, for whoever has words for it. */
export type RemedyKind = 'number' | 'date' | 'small' | 'capital' | 'split' | 'optional' | 'drop';

/** A change of the mapping that may mend rows of a group, before it was tried. */
interface Candidate {
  readonly kind: RemedyKind;
  readonly edit: Exclude<MappingEdit, { readonly kind: 'mapValue' | 'blank' }>;
  /** What is chosen in it, such as a pattern of dates or the sign before decimals; empty where there is no choice. */
  readonly choice: string;
}

/** The same with what it gains. */
export interface Remedy extends Candidate {
  /** By how many more rows would be sent: those that it mends, less those that it would break. */
  readonly gain: number;
  /** A value that is no problem any more; `null` where none is known. */
  readonly example: string | null;
}

/** Remedies of a group, the one that gains most first. */
export interface TriedRemedies {
  /** Rows that they were tried on, from the first. */
  readonly rows: number;
  /** Whether these are all rows of the list. */
  readonly isAll: boolean;
  readonly remedies: readonly Remedy[];
}

/** How many rows of the first ones are sent as the mapping is. */
export interface SampleCount {
  readonly rows: number;
  readonly clients: number;
}

/** What remedies depend on. */
interface Around {
  readonly uses: readonly ColumnUse[];
  readonly card: Installation['card'];
  /** The rows as they are now. */
  readonly before: SampleCount;
  readonly signal: AbortSignal;
}

/**
 * Tries every change of the mapping that may mend rows of a group, on the first rows of the list. One whose mapping could
 * not be used is no remedy, nor is one that gains nothing; that values are left out is said also where it gains nothing.
 * @throws StopRun when the signal is aborted, and what the file system says of the mapping
 */
export async function tryRemedies(
  request: CheckRequest,
  group: ProblemGroup,
  around: Around,
): Promise<TriedRemedies> {
  const { before } = around;
  const yaml = await readFile(request.mapping, 'utf8');
  const found: Remedy[] = [];
  let isAll = before.rows < TRIED_ROWS;
  for (const candidate of candidatesFor(group, around)) {
    const edited = editMapping(yaml, candidate.edit);
    if (!('yaml' in edited)) continue;
    const tried = await tryMapping(request, edited.yaml, around.signal);
    // Other rows than those before cannot be compared: the mapping decides which line is the header.
    if (tried?.rows !== before.rows) continue;
    isAll = tried.isAll;
    const left = tried.groups.list().find(({ column, code }) => isSame(group, column, code));
    const values = new Set(left?.values.map(({ value }) => value));
    const example = group.values.find(({ value }) => !values.has(value))?.value ?? null;
    found.push({ ...candidate, gain: tried.clients - before.clients, example });
  }
  const remedies = found
    .filter(({ kind, gain }) => gain > 0 || kind === 'drop')
    .sort((one, other) => other.gain - one.gain);
  return { rows: before.rows, isAll, remedies: withoutWorse(remedies) };
}

const isSame = (group: ProblemGroup, column: string | null, code: string | null): boolean =>
  group.column === column && group.code === code;

/** Of several ways to read a number, the first that gains most: the others would read some of them as another one. */
const withoutWorse = (remedies: readonly Remedy[]): Remedy[] =>
  remedies.filter(
    ({ kind }, at) =>
      kind === 'drop' || kind === 'date' || remedies.findIndex((one) => one.kind === kind) === at,
  );

/** What may mend the rows of a group, the most careful change of each kind first. */
function candidatesFor(group: ProblemGroup, { uses, card }: Around): Candidate[] {
  const { column, code } = group;
  const use = uses.find((one) => one.column === column && one.value !== undefined);
  if (column === null || code === null || !use) return [];
  const values = group.values.map(({ value }) => value);
  const of = (kind: RemedyKind, edit: Candidate['edit'], choice = ''): Candidate => ({
    ...{ kind, edit, choice },
  });
  const step = (kind: RemedyKind, written: Step, choice = ''): Candidate =>
    of(kind, { kind: 'step', column, step: written }, choice);
  const isDroppable = DROPPABLE.has(use.target) && use.value?.invalid !== 'drop';
  return [
    ...(NUMBER_CODES.has(code)
      ? [
          step('number', 'number'),
          step('number', { number: { decimal: ',', thousands: '.' } }, ','),
          step('number', { number: { decimal: '.', thousands: ',' } }, '.'),
        ]
      : []),
    ...(code === 'not_a_date'
      ? dateSteps(use, values).map(([written, pattern]) => step('date', written, pattern))
      : []),
    ...(code === 'not_allowed' || code === 'not_in_map'
      ? lettersOf(use, values, card).map((kind) => step(kind, kind === 'small' ? 'lower' : 'upper'))
      : []),
    ...(SPLIT_TARGETS.has(use.target) && use.value?.split === undefined
      ? SPLIT_SIGNS.filter((sign) => values.some((value) => value.includes(sign))).map((sign) =>
          of('split', { kind: 'split', column, split: sign }, sign),
        )
      : []),
    ...(code === 'required' && use.value?.required === true
      ? [of('optional', { kind: 'required', column, required: false })]
      : []),
    ...(isDroppable && code !== 'required' && code !== 'ragged'
      ? [of('drop', { kind: 'invalid', column, invalid: 'drop' })]
      : []),
  ];
}

type Step = Extract<MappingEdit, { readonly kind: 'step' }>['step'];

/** What can be left out of a client when it is wrong. */
export const DROPPABLE: ReadonlySet<ColumnUse['target']> = new Set([
  ...(['field', 'phone', 'email', 'address'] as const),
]);

const NUMBER_CODES: ReadonlySet<string> = new Set([
  ...['not_a_number', 'not_an_integer', 'ambiguous_number'],
]);

const SPLIT_TARGETS: ReadonlySet<ColumnUse['target']> = new Set(['phone', 'email']);
const SPLIT_SIGNS = [';', ',', '/'] as const;

/** How dates that were not understood could be read beside those that are. */
function dateSteps({ value }: ColumnUse, values: readonly string[]): [Step, string][] {
  const steps = [value?.transform ?? []].flat();
  const written = steps.find((one) => typeof one === 'object' && 'date' in one);
  if (typeof written !== 'object' || !('date' in written) || !written.date) return [];
  const options = written.date;
  const known = [options.from ?? []].flat();
  const looks: Record<string, number> = {};
  for (const one of values) {
    const look = dateLook(one.trim(), known);
    if (look !== NEEDS_NO_PATTERN) looks[look] = (looks[look] ?? 0) + 1;
  }
  return patternsOf(looks)
    .slice(0, MAX_PATTERNS)
    .map(({ pattern }) => [{ date: { ...options, from: [...known, pattern] } }, pattern]);
}

/** Patterns that are tried: more are not seen in one column. */
const MAX_PATTERNS = 3;

/** Whether values are allowed ones in other letters. */
function lettersOf(
  { field, value }: ColumnUse,
  values: readonly string[],
  card: Installation['card'],
): ('small' | 'capital')[] {
  const mapped = Object.keys(value?.map ?? {});
  const allowed = new Set(
    mapped.length > 0 ? mapped : (field !== undefined && card[field]?.values) || [],
  );
  const some = (changed: (text: string) => string): boolean =>
    values.some((one) => !allowed.has(one) && allowed.has(changed(one.trim())));
  return [
    ...(some((text) => text.toLowerCase()) ? (['small'] as const) : []),
    ...(some((text) => text.toUpperCase()) ? (['capital'] as const) : []),
  ];
}

interface Tried extends SampleCount {
  readonly isAll: boolean;
  readonly groups: ProblemGroups;
}

/** Checks the first rows with another text of the mapping; `undefined`: it cannot be used. */
async function tryMapping(
  request: CheckRequest,
  yaml: string,
  signal: AbortSignal,
): Promise<Tried | undefined> {
  // What it names lies beside it.
  const mapping = `${request.mapping}.${randomBytes(6).toString('hex')}`;
  const enough = new AbortController();
  const groups = new ProblemGroups();
  let counts: SampleCount = { rows: 0, clients: 0 };
  try {
    await writeFile(mapping, yaml, { mode: 0o600 });
    const { onWarning: _, ...quiet } = request;
    const checked = { ...quiet, mapping, signal: AbortSignal.any([signal, enough.signal]) };
    await checkFiles(checked, {
      keepsRejects: true,
      onOpened: () => undefined,
      onChunk: (chunk, { rows, clients }) => {
        counts = { rows, clients };
        for (const { problems } of chunk.kept) groups.add(problems);
        if (rows >= TRIED_ROWS) enough.abort();
      },
    });
    return { ...counts, isAll: true, groups };
  } catch (error) {
    if (signal.aborted) throw new StopRun('The check was stopped.', { cause: error });
    if (enough.signal.aborted) return { ...counts, isAll: false, groups };
    if (isInterruption(error)) throw error;
    // A mapping that cannot be used is no remedy; what is wrong with the file the check itself says.
    return undefined;
  } finally {
    await rm(mapping, { force: true });
  }
}

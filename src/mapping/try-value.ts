import { CLIENT_TYPES } from '../core/client.js';
import type { Cell } from '../core/table.js';
import type { PlacedDocument, Path } from '../config/document.js';
import type { Scalar } from '../config/check-document.js';
import type { CardField, Installation } from '../installation/installation.js';
import {
  clearBlanks,
  type Convert,
  compileValue,
  type ValueReader,
  compileContext,
  RowProblems,
} from './compile/values.js';
import * as convert from './compile/convert.js';
import { type ColumnTarget, isList } from './column-uses.js';
import { type Table, InvalidValue } from './transforms/step.js';
import { value } from './schema.js';

interface ValueToTry {
  readonly target: ColumnTarget;
  /** As it is written, but for the keys of a contact or a callback beside it. */
  readonly spec: unknown;
  readonly path: Path;
}

/** What values are tried with. */
export interface TryContext {
  readonly document: PlacedDocument;
  readonly tables: ReadonlyMap<string, Table>;
  readonly installation: Pick<Installation, 'card' | 'clientRoles'>;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Words that count as an empty cell in every column. */
  readonly blank?: readonly Scalar[] | undefined;
}

/**
 * Maps rows with one value of a mapping alone, whatever the rest of the mapping still lacks. `null` where the value is
 * written as none, or needs a table that is not there; the first mistake, where it has one; else how many rows have something there, how many of them are good, what
 * is wrong with the others, the most frequent first, and what becomes of the first cells.
 */
export function tryValue({ target, spec, path }: ValueToTry, context: TryContext) {
  const written = value.safeParse(spec);
  if (!written.success) return null;
  const { tables, installation, rows, blank = [] } = context;
  const compiling = compileContext(context, context.headers);
  const absent = new Set<string>();
  const table = (file: string): Table | undefined => {
    const found = tables.get(file);
    if (!found) absent.add(file);
    return found;
  };
  const field = fieldOf(target, installation.card);
  const isNumber = NUMBERS.has(target) || field?.type === 'Number';
  const use = { several: isList(target), isNumber };
  const reader = compileValue(written.data, path, { ...compiling, table }, use);
  const [mistake] = compiling.mistakes();
  if (mistake) return { mistake };
  if (absent.size > 0) return null;
  const converted = converterOf(target, field, installation.clientRoles);
  const clear = blank.length > 0 ? clearBlanks(blank) : undefined;
  const problems = new Map<string, TriedProblem>();
  const examples = new Map<string, ReturnType<typeof exampleOf>>();
  let [filled, good] = [0, 0];
  for (const row of rows) {
    const cells = clear ? clear(row) : row;
    const raw = reader.raw(cells);
    if (raw === null) continue;
    filled++;
    const results = resultsOf(reader, cells, converted);
    const wrong = results.find((one) => one instanceof InvalidValue);
    if (examples.size < EXAMPLES && !examples.has(raw))
      examples.set(raw, exampleOf(raw, results, reader));
    if (wrong === undefined) {
      good++;
      continue;
    }
    const { code, message } = wrong;
    const known = problems.get(code) ?? {
      code,
      message,
      count: 0,
      values: new Map<string, number>(),
    };
    known.count++;
    known.values.set(raw, (known.values.get(raw) ?? 0) + 1);
    problems.set(code, known);
  }
  const byCount = [...problems.values()].sort((a, b) => b.count - a.count);
  return { filled, good, problems: byCount, examples: [...examples.values()] };
}

const EXAMPLES = 5;

/** A cell, what is sent of it, and why not all of it is. */
function exampleOf(
  from: string,
  results: readonly unknown[],
  { drops }: Pick<ValueReader, 'drops'>,
) {
  const wrong = results.find((one) => one instanceof InvalidValue);
  const isSent = wrong === undefined || drops;
  const sent = results.filter((one) => isSent && one !== null && !(one instanceof InvalidValue));
  return {
    ...{ from, to: sent.length === 0 ? null : sent.map(String).join(' · ') },
    message: wrong?.message ?? null,
  };
}

interface TriedProblem {
  readonly code: string;
  readonly message: string;
  count: number;
  /** Cells that have it, with how often. */
  readonly values: Map<string, number>;
}

/** What comes of the cells of a row: several values where one cell holds several. */
function resultsOf(
  reader: ValueReader,
  cells: readonly Cell[],
  converted: Convert<unknown>,
): unknown[] {
  const remarks = new RowProblems();
  const values = reader.readAll?.(cells, remarks) ?? [reader.read(cells, remarks)];
  return values.map((one) => (typeof one === 'string' ? converted(one) : one));
}

const NUMBERS: ReadonlySet<ColumnTarget> = new Set<ColumnTarget>([
  'clientRoleId',
  'clientId',
  'callback.operatorId',
]);

function fieldOf(target: ColumnTarget, card: Installation['card']): CardField | undefined {
  const name = target.startsWith('fields.') ? target.slice('fields.'.length) : undefined;
  return name !== undefined && Object.hasOwn(card, name) ? card[name] : undefined;
}

const CONVERTERS: Partial<Record<ColumnTarget, Convert<unknown>>> = {
  phones: convert.toPhone,
  emails: convert.toEmail,
  timeZone: convert.toTimeZone,
  type: convert.toWord(CLIENT_TYPES, 'not_allowed'),
  clientId: convert.toNumber(true),
  'callback.operatorId': convert.toNumber(true),
};

function converterOf(
  target: ColumnTarget,
  field: CardField | undefined,
  roles: Installation['clientRoles'],
): Convert<unknown> {
  if (target.startsWith('fields.')) return convert.toField(field);
  if (target === 'clientRoleId') return convert.toRole(roles);
  return CONVERTERS[target] ?? convert.toFilledText;
}

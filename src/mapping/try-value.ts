import { CLIENT_TYPES } from '../core/client.js';
import type { Cell } from '../core/table.js';
import type { PlacedDocument, Path } from '../config/document.js';
import type { Scalar } from '../config/scalar.js';
import type { CardField, Installation } from '../installation/installation.js';
import {
  clearBlanks,
  type Convert,
  compileValue,
  type ValueReader,
} from './compile/value-reader.js';
import { compileContext, RowProblems } from './compile/context.js';
import * as convert from './compile/convert.js';
import { type ColumnTarget, isList } from './column-uses.js';
import { type Table, InvalidValue } from './transforms/step.js';
import { value } from './schema/value.js';

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
 * Maps rows with one value of a mapping alone, whatever the rest of the mapping still lacks. `null` where the value has
 * mistakes, or needs a table that is not there; else how many rows have something there, how many of them are good, and
 * what is wrong with the others, the most frequent first.
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
  if (absent.size > 0 || compiling.hasMistakes()) return null;
  const converted = converterOf(target, field, installation.clientRoles);
  const clear = blank.length > 0 ? clearBlanks(blank) : undefined;
  const problems = new Map<string, TriedProblem>();
  let [filled, good] = [0, 0];
  for (const row of rows) {
    const cells = clear ? clear(row) : row;
    const raw = reader.raw(cells);
    if (raw === null) continue;
    filled++;
    const wrong = wrongIn(reader, cells, converted);
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
  return { filled, good, problems: [...problems.values()].sort((a, b) => b.count - a.count) };
}

interface TriedProblem {
  readonly code: string;
  readonly message: string;
  count: number;
  /** Cells that have it, with how often. */
  readonly values: Map<string, number>;
}

function wrongIn(
  reader: ValueReader,
  cells: readonly Cell[],
  converted: Convert<unknown>,
): InvalidValue | undefined {
  const remarks = new RowProblems();
  const values = reader.readAll?.(cells, remarks) ?? [reader.read(cells, remarks)];
  for (const one of values) {
    const result = typeof one === 'string' ? converted(one) : one;
    if (result instanceof InvalidValue) return result;
  }
  return undefined;
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

/** How a part of a client takes text. */
function converterOf(
  target: ColumnTarget,
  field: CardField | undefined,
  roles: Installation['clientRoles'],
): Convert<unknown> {
  if (target.startsWith('fields.')) return convert.toField(field);
  if (target === 'clientRoleId') return convert.toRole(roles);
  return CONVERTERS[target] ?? convert.toFilledText;
}

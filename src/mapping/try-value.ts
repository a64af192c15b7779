import { CLIENT_TYPES } from '../core/client.js';
import { ConfigurationError } from '../core/errors.js';
import type { Cell } from '../core/table.js';
import type { PlacedDocument, Path } from '../config/document.js';
import type { Scalar } from '../config/scalar.js';
import type { Installation } from '../installation/installation.js';
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

/** What came of the rows. */
interface TriedValue {
  /** Rows that have something there. */
  readonly filled: number;
  readonly good: number;
  readonly problems: readonly TriedProblem[];
}

interface TriedProblem {
  readonly code: string;
  readonly message: string;
  readonly count: number;
  /** Cells that have it, with how often. */
  readonly values: ReadonlyMap<string, number>;
}

/**
 * Maps rows with one value of a mapping alone, whatever the rest of the mapping still lacks. `null` where the value has
 * mistakes, or needs a table that is not there.
 */
export function tryValue(
  { target, spec, path }: ValueToTry,
  context: TryContext,
): TriedValue | null {
  const written = value.safeParse(spec);
  if (!written.success) return null;
  const compiling = compileContext(context, context.headers, undefined);
  const several = isList(target);
  const isNumber = isNumeric(target, context.installation.card);
  const absent = new Set<string>();
  const table = (file: string): Table | undefined => {
    const found = context.tables.get(file);
    if (!found) absent.add(file);
    return found;
  };
  const reader = compileValue(written.data, path, { ...compiling, table }, { several, isNumber });
  try {
    compiling.finish();
  } catch (error) {
    if (error instanceof ConfigurationError) return null;
    throw error;
  }
  return absent.size > 0 ? null : tally(reader, converterOf(target, context.installation), context);
}

type Tally = Map<string, TriedProblem & { readonly values: Map<string, number> }>;

function tally(
  reader: ValueReader,
  converted: Convert<unknown>,
  { rows, blank }: TryContext,
): TriedValue {
  const clear = blank && blank.length > 0 ? clearBlanks(blank) : undefined;
  const problems: Tally = new Map();
  let [filled, good] = [0, 0];
  for (const row of rows) {
    const cells = clear ? clear(row) : row;
    const raw = reader.raw(cells);
    if (raw === null) continue;
    filled++;
    const wrong = wrongIn(reader, cells, converted);
    if (wrong === undefined) good++;
    else count(problems, wrong, raw);
  }
  const sorted = [...problems.values()].sort((a, b) => b.count - a.count);
  return { filled, good, problems: sorted };
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

function count(problems: Tally, { code, message }: InvalidValue, raw: string): void {
  const known = problems.get(code) ?? {
    code,
    message,
    count: 0,
    values: new Map<string, number>(),
  };
  known.values.set(raw, (known.values.get(raw) ?? 0) + 1);
  problems.set(code, { ...known, count: known.count + 1 });
}

function isNumeric(target: ColumnTarget, card: Installation['card']): boolean {
  return NUMBERS.has(target) || fieldOf(target, card)?.type === 'Number';
}

const NUMBERS: ReadonlySet<ColumnTarget> = new Set<ColumnTarget>([
  'clientRoleId',
  'clientId',
  'callback.operatorId',
]);

function fieldOf(target: ColumnTarget, card: Installation['card']) {
  const name = target.startsWith('fields.') ? target.slice('fields.'.length) : undefined;
  return name !== undefined && Object.hasOwn(card, name) ? card[name] : undefined;
}

/** How a part of a client takes text. */
function converterOf(
  target: ColumnTarget,
  { card, clientRoles }: TryContext['installation'],
): Convert<unknown> {
  if (target.startsWith('fields.')) return convert.toField(fieldOf(target, card));
  switch (target) {
    case 'phones':
      return convert.toPhone;
    case 'emails':
      return convert.toEmail;
    case 'timeZone':
      return convert.toTimeZone;
    case 'type':
      return convert.toWord(CLIENT_TYPES, 'not_allowed');
    case 'clientRoleId':
      return convert.toRole(clientRoles);
    case 'clientId':
    case 'callback.operatorId':
      return convert.toNumber(true);
    default:
      return convert.toFilledText;
  }
}

import type { CallTime, ZoneSource } from '../core/hours.js';
import type { FieldValue, MappedPayload } from '../core/client.js';
import type { ColumnEvidence, Cell } from '../core/table.js';
import type { Installation } from '../installation/installation.js';
import type { Problem } from '../core/problem.js';
import { clearBlanks } from './compile/blank.js';
import { compileChecks, type RowTest } from './compile/checks.js';
import { compileContext, type CompileContext } from './compile/context.js';
import { errorsInCells, type FindErrors } from './compile/error-cells.js';
import { compileFields, type Fields } from './compile/fields.js';
import { RowProblems } from './compile/row-problems.js';
import { compilePayload, otherFieldsOf } from './compile/payload.js';
import type { MakePayload } from './compile/payload/make-payload.js';
import { compileUuid, type RowUuid } from './compile/row-uuid.js';
import { compileTimeRules, rowTimes, type TimeRules } from './compile/times/time-rules.js';
import { compileWhere, type Filter } from './compile/where.js';
import type { Suppression } from '../quality/suppression.js';
import type { NumberPlan } from '../quality/zones/number-plan.js';
import type { LoadedMapping } from './load.js';

export interface CompileRequest {
  readonly mapping: LoadedMapping;
  /** Card configuration; without it the fields are not checked and their values pass as text. */
  readonly card?: Installation['card'] | undefined;
  /** Roles that exist; without them any whole number is one. */
  readonly clientRoles?: readonly number[] | undefined;
  /** Headers of the spreadsheet, in the order of its cells. */
  readonly headers: readonly string[];
  /** Name of the spreadsheet, for messages. */
  readonly file?: string | undefined;
  /** Lists of numbers that must not be called. @default none */
  readonly suppression?: Suppression | undefined;
  /** Whether rows keep the numbers of their phones, to be compared with the lists once more. @default false */
  readonly keepsNumbers?: boolean | undefined;
  /** Where numbers were given out. @default what their first digits say */
  readonly numberPlan?: NumberPlan | undefined;
  /** The moment that counts for rules that depend on the time, in milliseconds since 1970. @default they are off */
  readonly asOf?: number | null | undefined;
}

export type MappedRow =
  | {
      readonly status: 'client';
      readonly uuid: string;
      /** In the order of `identifierNames`. */
      readonly identifiers: readonly (string | number)[];
      /** What is sent for the row, by the mode of the mapping. */
      readonly payload: MappedPayload;
      /** What was left out of it; absent where nothing was. */
      readonly remarks?: readonly Problem[] | undefined;
      /** Its phones, where duplicates are known by them: E.164 without the plus, or as sent where they are none. */
      readonly compared?: readonly (number | string)[] | undefined;
      /** Where its time zone comes from, where the mapping finds it by the phone. */
      readonly zoneFrom?: ZoneSource | undefined;
      /** Numbers of its phones, E.164 without the plus, where they are kept. */
      readonly callable?: readonly number[] | undefined;
      /** When the client may be called, where the mapping has hours. */
      readonly callTime?: CallTime | undefined;
    }
  | {
      /** `rejected`: the row could not become a client; `skipped`: the mapping leaves it out. */
      readonly status: 'rejected' | 'skipped';
      /** `null` when it could not be made out. */
      readonly uuid: string | null;
      /** In the order of `identifierNames`, `null` where one could not be made out. */
      readonly identifiers: readonly (string | number | null)[];
      /** At least one; exactly one, such as `filtered` or `suppressed`, for a skipped row. */
      readonly problems: readonly Problem[];
      /** When the client may be called, of a row that is left out for now. */
      readonly callTime?: CallTime | undefined;
    };

export interface CompiledMapping {
  /** What a row becomes. Pure, and never throws, whatever the cells hold. */
  readonly map: (cells: readonly Cell[]) => MappedRow;
  /** Synchronization identifiers in the order of the card; empty without a card. */
  readonly identifierNames: readonly string[];
  /** What numbers and dates looked like in the rows mapped since this was last asked. */
  readonly takeEvidence: () => ColumnEvidence[];
  /** Columns that the mapping uses. */
  readonly columns: readonly string[];
  /** What a row lacks in its file: values of formulas that ended in an error, among others. */
  readonly findErrors: FindErrors;
  /** Tests of the mapping's checks, in their order; `null` where a row alone does not show what one counts. */
  readonly checks: readonly (RowTest | null)[];
}

/**
 * Fits a mapping to a spreadsheet and an installation. Everything is resolved here, once; a row then costs a few
 * microseconds.
 * @throws ConfigurationError with every mistake: columns that the file lacks, fields that the card lacks or requires,
 * constants that cannot be used.
 */
export function compileMapping(request: CompileRequest): CompiledMapping {
  const { mapping, headers, file } = request;
  const context = compileContext(mapping, headers, file, request);
  const { filter, parts, checks } = compileParts(request, context);
  context.finish();
  const map: CompiledMapping['map'] = filter
    ? (cells) => (filter.passes(cells) ? mapRow(parts, cells) : skip(parts, filter, cells))
    : (cells) => mapRow(parts, cells);
  const clear = request.mapping.blank && clearBlanks(request.mapping.blank);
  return {
    map: clear ? (cells) => map(clear(cells)) : map,
    identifierNames: parts.identifiers.map(({ name }) => name),
    takeEvidence: () => context.takeEvidence(),
    columns: [...context.used],
    findErrors: errorsInCells(mapping.document.value),
    checks,
  };
}

function compileParts(request: CompileRequest, context: CompileContext) {
  const { mapping, clientRoles, card } = request;
  const { sections, borrowed } = mapping;
  const filter = mapping.where ? compileWhere(mapping.where, ['where'], context) : null;
  const others = otherFieldsOf(sections, borrowed);
  const fields = compileFields(sections.client.fields, others, request, context);
  const parts = {
    ...fields,
    uuid: compileUuid(mapping.uuid, fields, card !== undefined, context),
    payload: compilePayload(sections, fields, clientRoles, context),
    times: compileTimeRules(mapping, request.asOf, context),
  };
  const checks = compileChecks(sections.checks ?? [], context);
  for (const [at, name] of (sections.report?.show ?? []).entries())
    context.column(name, ['report', 'show', at]);
  return { filter, parts, checks };
}

/** Everything that makes up what a row becomes, each part a function of the row. */
interface RowParts extends Fields {
  readonly uuid: RowUuid;
  readonly payload: MakePayload;
  readonly times: TimeRules | null;
}

type Identified = readonly (string | number | null)[];

function mapRow(parts: RowParts, cells: readonly Cell[]): MappedRow {
  const problems = new RowProblems();
  const values = identify(parts, cells, problems);
  const fields = fieldsOf(parts, values, cells, problems);
  const uuid = parts.uuid(cells, values, fields, problems);
  const payload = parts.payload(uuid, fields, cells, problems);
  const times = parts.times && rowTimes(parts.times, cells, payload, problems);
  const leftOut = problems.suppressed ?? times?.old;
  if (leftOut) return { status: 'skipped', uuid, identifiers: values, problems: [leftOut] };
  if (problems.list.length > 0 || uuid === null || payload === null || !isWhole(values)) {
    return { status: 'rejected', uuid, identifiers: values, problems: problems.list };
  }
  const callTime = times?.when;
  if (times?.closed)
    return { status: 'skipped', uuid, identifiers: values, problems: [times.closed], callTime };
  const { remarks, zoneFrom, compared, callable } = problems;
  return {
    status: 'client',
    uuid,
    identifiers: values,
    payload,
    remarks,
    compared,
    zoneFrom,
    callable,
    callTime,
  };
}

function isWhole(values: Identified): values is readonly (string | number)[] {
  return !values.includes(null);
}

function identify(parts: RowParts, cells: readonly Cell[], problems: RowProblems): Identified {
  const values: (string | number | null)[] = [];
  for (const { part } of parts.identifiers) values.push(part(cells, problems));
  return values;
}

function fieldsOf(
  parts: RowParts,
  identifiers: Identified,
  cells: readonly Cell[],
  problems: RowProblems,
): (FieldValue | null)[] {
  const values: (FieldValue | null)[] = [];
  for (const value of identifiers) values.push(value);
  for (const { part } of parts.others) values.push(part(cells, problems));
  return values;
}

/** A row that is left out still says who it is, as far as it can. */
function skip(parts: RowParts, filter: Filter, cells: readonly Cell[]): MappedRow {
  const unheard = new RowProblems();
  const identifiers = identify(parts, cells, unheard);
  const fields = fieldsOf(parts, identifiers, cells, unheard);
  const { code, message } = filter.mistake;
  return {
    status: 'skipped',
    uuid: parts.uuid(cells, identifiers, fields, unheard),
    identifiers,
    problems: [{ column: filter.column, code, message, value: cells[filter.position] ?? null }],
  };
}

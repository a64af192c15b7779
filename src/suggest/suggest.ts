import type { Cell } from '../core/table.js';
import { isTotal, type Totals, totalsAt } from './contents.js';
import { type Filter, type Permission, permissionsIn } from './permission.js';
import { assign, type Assigned } from './choose/assign.js';
import { type ChosenCountry, chooseCountry } from './choose/country.js';
import { type Column, readColumns, type Candidate } from './choose/columns.js';
import { dayOrder, type DayOrder, typeValue, zoneValue } from './draft/value.js';
import { languageOf } from './header.js';
import { areaCodesIn, countryOfCode, isProven, untold, withAreaCodes } from './beside-phones.js';
import {
  type ColumnSuggestion,
  roundScore,
  type SuggestTableRequest,
  type Suggestion,
  type Table,
  type TableSource,
  type Trial,
  scoreText,
  SURE,
} from './suggestion.js';
import { type DraftContext, usesOf } from './draft/context.js';
import { draftContacts } from './draft/contacts.js';
import { draftFields } from './draft/fields.js';
import { quoted, flow, type Plain } from '../config/yaml-text.js';
import { Lines, pairLines, blankOf, plainValue } from './draft/lines.js';
import type { ProblemCount } from '../core/problem.js';
import type { Installation } from '../installation/installation.js';
import { parsePlaced } from '../config/document.js';
import { checkMapping } from '../mapping/mapping.js';
import { compileMapping } from '../mapping/compile.js';
import { loadedMapping } from '../mapping/load.js';
import { mapRow } from '../mapping/map-row.js';
import { traitsOf } from '../source/formats.js';
import { MODE_TRAITS } from '../core/mode.js';
import { zoneOfCountry, type Language } from './words.js';

/** A table as it was understood: what its columns hold, and what each is used for. */
export interface ReadTable {
  /** Without the totals that end it. */
  readonly table: Table;
  readonly totals: Totals | null;
  readonly language: Language;
  readonly country: ChosenCountry;
  readonly columns: readonly Column[];
  readonly assigned: readonly Assigned[];
  readonly dayOrder: DayOrder;
}

/** Finds out what the columns of a table mean. Pure, and what takes the time of a suggestion. */
export function readTable(request: Omit<SuggestTableRequest, 'source'>): ReadTable {
  const { installation, mode = 'create', remembered = new Map() } = request;
  const totals = totalsAt(request.table.headers, request.table.last ?? []);
  const table = totals ? withoutTotals(request.table, totals) : request.table;
  // Letters in place of a header are words of no language.
  const headers = table.hasNames === false ? table.headers.map(() => '') : table.headers;
  const language = languageOf(headers);
  const areas = areaCodesIn({ ...table, headers });
  const whole = withAreaCodes(table, areas);
  const guessed = chooseCountry({ ...whole, headers }, request.country);
  const first = readColumns(whole, guessed.code, areas);
  const country = countryTold(first, guessed);
  const columns = country.code === guessed.code ? first : readColumns(whole, country.code, areas);
  const assigned = assign({ columns, installation, mode, country: country.code, remembered });
  return { table, totals, language, country, columns, assigned, dayOrder: dayOrder(columns) };
}

/** The country that a column says of all numbers beside it, where nobody gave another one. */
function countryTold(columns: readonly Column[], guessed: ChosenCountry): ChosenCountry {
  if (guessed.isGiven) return guessed;
  for (const column of columns) {
    const { beside } = column;
    if (!beside || beside.codes.size > 1 || !isProven(beside)) continue;
    const code = countryOfCode(beside, column);
    if (code === undefined) continue;
    const others = untold(beside);
    const why = `"${beside.column.header}" says so`;
    const doubt = `${others} numbers of "${column.header}" have no country in "${beside.column.header}"`;
    return { code, why, isGiven: false, ...(others > 0 ? { doubt } : {}) };
  }
  return guessed;
}

/**
 * Drafts a mapping for a table: what its columns mean, by their names and by what they hold, and the YAML for it. Pure:
 * reads no file.
 */
export function suggestTable(
  request: SuggestTableRequest,
  read: ReadTable = readTable(request),
): Suggestion {
  const { source, installation, mode = 'create' } = request;
  const { table, totals, assigned } = read;
  const below = request.table.first.length - table.first.length;
  const isWhole = table.rows !== undefined && table.rows <= table.sample.length;
  const { yaml, missing, decisions, toFillIn } = draftMapping({
    ...{ ...read, installation, mode, source, isWhole },
    countOf: (column, what) => countOf(column, what, table.rows),
  });
  return {
    source: {
      encoding: source.info?.encoding ?? null,
      delimiter: source.info?.delimiter ?? null,
      sheet: source.sheet ?? null,
      headerRow: source.headerRow,
      otherSheets: source.info?.otherSheets ?? [],
      until: totals && { column: totals.column, startsWith: totals.startsWith },
    },
    columns: assigned.map(columnSuggestion),
    mapping: yaml,
    missing,
    toFillIn,
    decisions,
    trial: toFillIn.length > 0 ? null : tryMapping(yaml, table, installation, below, source),
  };
}

/** The table as it is read with the draft: the totals that end it are no data. */
function withoutTotals(table: Table, totals: Totals): Table {
  const { headers, sample, first, rows } = table;
  const isData = (cells: readonly Cell[]): boolean => !isTotal(headers, cells, totals);
  const data = first.slice(0, first.findLastIndex(({ cells }) => isData(cells)) + 1);
  return {
    ...table,
    sample: sample.slice(0, sample.findLastIndex(isData) + 1),
    first: data,
    // Where the first rows are all, they show more totals than the last few rows do.
    rows: rows === first.length ? data.length : rows && rows - totals.rows,
  };
}

function countOf({ cells }: Column, what: string, rows: number | undefined): string {
  const all = rows !== undefined && rows <= cells.rows;
  return all ? `${cells.filled} ${what}` : `${cells.filled} ${what} looked at`;
}

/** What is suggested for a column, in words. */
export function columnSuggestion({ column, use, why, second }: Assigned): ColumnSuggestion {
  const score = roundScore(use?.score ?? Math.min(second?.score ?? 0, 0.49));
  return {
    column: column.header,
    target: use?.target ?? null,
    ...(use?.phoneType === undefined ? {} : { phoneType: use.phoneType }),
    score,
    why,
  };
}

interface Draft {
  readonly yaml: string;
  /** Names of needed fields without a column. */
  readonly missing: readonly string[];
  readonly decisions: readonly string[];
  /** What has to be filled in before the mapping can be used. */
  readonly toFillIn: readonly string[];
}

/** The mapping as YAML: what is sure, what may be uncommented, what is missing, and what is left out. */
function draftMapping(request: Omit<DraftContext, 'lines' | 'decide' | 'fillIn'>): Draft {
  const lines = new Lines();
  const decisions: string[] = [];
  const toFillIn: string[] = [];
  const context: DraftContext = {
    ...request,
    lines,
    decide: (sentence) => decisions.push(sentence),
    fillIn: (what) => toFillIn.push(what),
  };
  draftTop(context);
  draftFilters(context);
  lines.add(0, 'client:');
  draftKind(context);
  const missing = draftFields(context);
  draftContacts(context);
  leftOut(lines, request.assigned);
  if (toFillIn.length > 0) {
    lines.blank();
    lines.note(0, `Missing: ${toFillIn.join(', ')}. Search for FILL IN above.`);
  }
  return { yaml: lines.toString(), missing, decisions, toFillIn };
}

function leftOut(lines: Lines, assigned: readonly Assigned[]): void {
  const unused = assigned.filter(({ use }) => use === null);
  if (unused.length === 0) return;
  lines.blank();
  lines.note(0, 'Columns that are left out:');
  for (const { column, why } of unused) lines.note(0, `  ${quoted(column.header)}: ${why}`);
}

/** Maps the first rows with a drafted mapping, as an import would. `below`: how many more stand below the table. */
function tryMapping(
  yaml: string,
  { headers, first }: Table,
  installation: Pick<Installation, 'card' | 'clientRoles'>,
  below: number,
  { info }: TableSource,
): Trial {
  const checked = checkMapping(parsePlaced('the drafted mapping', yaml));
  const mapping = loadedMapping(checked, new Map());
  const compiled = compileMapping({
    mapping,
    card: installation.card,
    clientRoles: installation.clientRoles,
    headers,
  });
  const width = info && traitsOf(info.format).storesEmptyCells ? headers.length : undefined;
  const columns = { headers, width, delimiter: info?.delimiter };
  const counts = { client: 0, rejected: 0, skipped: 0 };
  const problems = new Map<string, ProblemCount>();
  const seen = new Set<string>();
  for (const each of first) {
    const mapped = mapRow(each, columns, compiled);
    counts[mapped.status]++;
    if (mapped.status === 'client') seen.add(JSON.stringify(mapped.identifiers));
    for (const { column, code, message } of mapped.status === 'rejected' ? mapped.problems : []) {
      const key = JSON.stringify([column, code]);
      const known = problems.get(key);
      problems.set(
        key,
        known
          ? { ...known, count: known.count + 1 }
          : { column, code, message, count: 1, firstRow: each.row },
      );
    }
  }
  const { client, rejected, skipped } = counts;
  const sorted = [...problems.values()].sort((a, b) => b.count - a.count);
  const repeated = client - seen.size;
  const duplicates = mapping.duplicates.by.includes('sync') ? repeated : 0;
  return {
    ...{ rows: first.length + below, clients: client - duplicates, rejected, repeated },
    skipped: skipped + below + duplicates,
    problems: sorted,
  };
}

/** What stands above the section `client`. */
function draftTop(context: DraftContext): void {
  const { lines, source, mode } = context;
  lines.note(0, `Drafted by "cardline suggest" from ${source.file}.`);
  lines.note(0, 'Numbers from 0 to 1 say how sure a column is.');
  lines.note(0, 'Lines that begin with # do nothing; take the sign off to use one.');
  lines.blank();
  if (mode !== 'create') lines.add(0, `mode: ${mode}`);
  const options = sourceOptions(context);
  if (Object.keys(options).length > 0) lines.add(0, `source: ${flow(options)}`);
  draftUuid(context);
  lines.blank();
  if (MODE_TRAITS[mode].campaign !== 'unused')
    lines.note(
      0,
      'campaign: { name: … } # which campaign is meant; or --campaign with the command',
    );
  if (mode === 'callbacks') fillInCallback(context);
  if (mode === 'rekey') {
    lines.note(0, 'FILL IN: clientId: COLUMN — the internal id of the client');
    context.fillIn('clientId');
  }
  lines.blank();
}

/** Answers that are named at most. */
const MAX_NAMED = 6;

/** Columns that say who may be called, and who may not: filters are proposed, and a person decides. */
function draftFilters({ lines, assigned, decide, countOf: counted }: DraftContext): void {
  const filters: Filter[] = [];
  for (const found of permissionsIn(assigned.map(({ column }) => column))) {
    const { about, answers, days, filter, isOpen } = found;
    const column = assigned.find((each) => each.column.header === found.column)?.column;
    const counts = countsText(answers, days);
    const what = column ? `${counts}; ${counted(column, 'cells')}` : counts;
    const sentence = `"${found.column}" ${SAYS[about]} (${what})`;
    if (about === 'messages') {
      lines.note(0, `DECIDE: ${sentence}: nobody is left out by it.`);
      decide(`${sentence}: nobody is left out by it (where).`);
      continue;
    }
    if (filter) filters.push(filter);
    const open = isOpen && about === 'calls' ? `, and ${openText(answers)}` : '';
    const which = filter
      ? 'all are imported, unless "where" leaves some out'
      : 'which of them allow calls is for you to say; all are imported, unless "where" leaves some out';
    lines.note(0, `DECIDE: ${sentence}${open}: ${which}.`);
    if (!filter)
      lines.note(0, `Such as: where: ${flow(keptOf(found))}, with what may be called alone`);
    decide(`${sentence}${open}: ${which} (where).`);
  }
  const [first, ...others] = filters;
  if (!first) {
    lines.blank();
    return;
  }
  lines.note(0, 'Take the sign # off to leave the others out:');
  if (others.length === 0) lines.note(0, `where: ${flow({ ...first })}`);
  else {
    lines.note(0, 'where:');
    lines.note(0, '  all:');
    for (const filter of filters) lines.note(0, `    - ${flow({ ...filter })}`);
  }
  lines.blank();
}

const SAYS: Readonly<Record<Permission['about'], string>> = {
  calls: 'says who may be called',
  messages: 'is about messages and mails, and says nothing of calls',
  status: 'has values that forbid calls',
};

function countsText(answers: Permission['answers'], days: number): string {
  const empty = answers.filter(({ text }) => text === '');
  const filled = answers.filter(({ text }) => text !== '');
  const named = days > 0 ? [] : filled.slice(0, MAX_NAMED);
  const others = filled.slice(named.length).reduce((sum, { count }) => sum + count, 0) - days;
  return [
    ...named.map(({ text, count }) => `${quoted(text)} ${count}`),
    ...(days > 0 ? [`a day ${days}`] : []),
    ...(others > 0 ? [`others ${others}`] : []),
    ...empty.map(({ count }) => `empty ${count}`),
  ].join(', ');
}

function openText(answers: Permission['answers']): string {
  const open = answers.filter(({ text, says }) => text !== '' && says === 'open');
  const named = open.slice(0, MAX_NAMED).map(({ text }) => quoted(text));
  return `what ${named.join(', ')} ${open.length === 1 ? 'means' : 'mean'} is not known`;
}

const keptOf = ({ column, answers }: Permission): Plain => ({
  column,
  in: answers.flatMap(({ text }) => (text === '' ? [] : [text])).slice(0, MAX_NAMED),
});

function sourceOptions({ source, totals }: DraftContext): Record<string, Plain> {
  const { given, headerRow } = source;
  // A header further down is found again by the columns that the mapping names.
  return {
    ...given,
    ...(headerRow === 'none' ? { headerRow } : {}),
    ...(totals ? { until: { column: totals.column, startsWith: totals.startsWith } } : {}),
  };
}

function draftUuid(context: DraftContext): void {
  const uses = usesOf(context, 'uuid');
  const sure = sureOf(uses);
  const [use] = sure ? [sure] : uses;
  if (!use) return;
  const text = `uuid: ${quoted(use.column.header)}`;
  const why = `${scoreText(use.score)}: ${use.why}`;
  if (sure) context.lines.add(0, text, why);
  else context.lines.note(0, `${text} # ${why}`);
}

function fillInCallback({ lines, fillIn }: DraftContext): void {
  lines.note(0, 'FILL IN: what the callbacks are; see docs/modes.md');
  for (const key of [
    'callback:',
    '  name: COLUMN',
    '  phone: COLUMN',
    '  operatorId: COLUMN',
    '  callAt: { column: COLUMN, pattern: dd.MM.yyyy HH:mm, timeZone: { value: … } }',
    '  callAutomatically: { value: true }',
  ])
    lines.note(0, key);
  fillIn('callback');
}

const sureOf = (uses: readonly Candidate[]): Candidate | undefined =>
  uses.find(({ score }) => score >= SURE);

/** Role, type and time zone, which only a client that is created has. */
function draftKind(context: DraftContext): void {
  if (!MODE_TRAITS[context.mode].creates) return;
  draftRole(context);
  draftType(context);
  draftZone(context);
}

function draftRole(context: DraftContext): void {
  const { lines, installation } = context;
  const use = sureOf(usesOf(context, 'clientRoleId'));
  if (use) {
    lines.add(1, `clientRoleId: ${quoted(use.column.header)}`, use.why);
    return;
  }
  const roles = installation.clientRoles;
  const choice =
    roles === undefined
      ? 'no column has the role, and the installation names none: is 1 right?'
      : `no column has the role; there are: ${roles.join(', ')}`;
  lines.add(1, `clientRoleId: { value: ${roles?.[0] ?? 1} }`, choice);
  if (roles?.length !== 1)
    context.decide(
      `No column has the role of the clients; ${roles?.[0] ?? 1} is taken (client.clientRoleId). ${
        roles === undefined
          ? 'A sandbox takes any; name those of your contact center in the installation, such as clientRoles: [1].'
          : `There are: ${roles.join(', ')}.`
      }`,
    );
}

function draftType(context: DraftContext): void {
  const [use] = usesOf(context, 'type');
  if (!use) return;
  const { lines } = context;
  const { keys } = typeValue(use.column, use.column.cells.share('yesNo') > 0.8);
  lines.note(1, `${scoreText(use.score)}: ${use.why}; values that are not named here are SIMPLE`);
  for (const text of pairLines('type', { column: use.column.header, ...keys }))
    if (use.score >= SURE) lines.add(1, text);
    else lines.note(1, text);
}

function draftZone(context: DraftContext): void {
  const { lines, country } = context;
  const [use] = usesOf(context, 'timeZone');
  const fallback = zoneOfCountry(country.code);
  if (use) {
    const value = use.column.cells.filled > 0 ? zoneValue(use.column) : plainValue;
    const isWhole = use.column.cells.filled === use.column.cells.rows;
    const rest = isWhole && !value.unknown ? {} : { default: fallback ?? 'UTC' };
    lines.note(1, `${scoreText(use.score)}: ${use.why}`);
    for (const text of pairLines('timeZone', {
      column: use.column.header,
      ...blankOf([use.column]),
      ...value.keys,
      ...rest,
    }))
      if (use.score >= SURE) lines.add(1, text);
      else lines.note(1, text);
    if (use.score >= SURE) return;
  }
  const zone = fallback ?? 'UTC';
  const reason =
    fallback === undefined
      ? 'no column has a time zone, and no country is known'
      : `no column has a time zone; this is the main one of ${country.code ?? ''}`;
  lines.note(1, `DECIDE: ${reason}`);
  lines.add(1, `timeZone: { value: ${zone} }`);
  context.decide(
    `No column has the time zone; ${zone} is taken for all clients (client.timeZone).`,
  );
}

import { UsageError, InputError } from '../core/errors.js';
import { type Installation, syncFields } from '../installation/installation.js';
import type { PreparedChunk, RowRecord } from '../core/prepared.js';
import { type Mode, type RunMode, GOOD_OUTCOMES } from '../core/outcome.js';
import {
  type FieldValue,
  type Payloads,
  type ClientChanges,
  isAbsent,
  type ApplicationState,
  type ClientCard,
  type Difference,
  type Inspection,
} from '../core/client.js';
import type { CampaignSettings, Inspect } from '../delivery/import.js';
import { bindFiles, openFiles, workOfFiles } from './of-files.js';
import type { FileRows, ReadInput } from './rows.js';
import type { Work } from './plan.js';
import type { Closing } from './scoped.js';
import { campaignOfFiles } from './campaigns.js';
import { connectRun } from './connect.js';
import { executeRun } from './run.js';
import { identifyingOptions } from '../options/kept-options.js';
import type { ImportResult, ReconcileRequest, RunOptions } from './requests.js';
import { filesSettings, shownColumns } from './settings.js';
import { resolve, dirname, join } from 'node:path';
import { readFactOf } from '../core/facts.js';
import type { Ledger } from '../ledger/port.js';
import { originFinder } from '../history/history.js';
import { whole, shortenedMessage } from '../core/text.js';
import { stringify } from 'yaml';
import type { RowReport } from '../core/report.js';
import type { Cell } from '../core/table.js';
import { writePieces } from '../report/files.js';
import { openCsv } from '../report/lines.js';
import { openRejectsWriter } from '../report/rejects.js';
import { InputRows } from '../prepare/inputs/seen.js';
import type { MappingFacts } from '../prepare/plan.js';

/** Modes whose mappings say what a card should look like; an enqueueing one says that there should be one. */
const COMPARABLE: ReadonlySet<Mode> = new Set<Mode>(['create', 'upsert', 'update', 'enqueue']);

/**
 * Compares spreadsheets with the contact center, row by row, and changes nothing: the card (interface.md 4.8) and, with
 * a campaign, its call application (4.12). Phones, e-mail addresses and addresses are not compared, since the
 * interface does not show them. Ends with 0 when every row matches.
 * @throws as `importFiles` does; UsageError when the mapping does not say what a card should look like, or `fields`
 * names others than the mapping gives
 */
export const reconcileFiles = (request: ReconcileRequest): Promise<ImportResult> =>
  executeRun(request, openComparison);

async function openComparison(request: ReconcileRequest, closing: Closing): Promise<Work> {
  const rows = await openFiles(request, closing, null);
  const { mapping, installation, preparation } = rows;
  checkComparable(rows, request);
  const connection = await connectRun(request, installation, closing);
  const campaign = await campaignOfFiles(request, mapping, installation, connection);
  const asked = connection.answered;
  const wanted = { reconcile: true, ...identifyingOptions(request, 'reconcile') };
  const { ledger, identity } = await bindFiles(request, rows, campaign, wanted, closing);
  const work = workOfFiles(rows);
  const sent = await rowsFromRejects(ledger, new Set(work.inputs.map((path) => resolve(path))));
  const { fix } = request;
  const fields = request.fields && new Set(request.fields);
  const rules = fieldRules(mapping, installation);
  return {
    ...{ ...work, mode: 'reconcile', campaign, connection, ledger, identity, asked, recovery: {} },
    settings: filesSettings(request, 'reconcile', campaign, shownColumns(rows)),
    // A comparison is of clients that earlier runs have sent.
    duplicates: { ...preparation.duplicates, within: 'file' },
    chunks: () => compared(rows, request, campaign ? 2 : 1, sent),
    changeRule: () => null,
    inspect: (changes) =>
      inspector(changes, rules, (payload) => {
        const { fields: mapped = {} } = payload as Partial<Payloads['update']>;
        // All but the identifiers, by which the card was found.
        const isCompared = ([name]: [string, unknown]): boolean =>
          installation.card[name]?.sync !== true && (fields?.has(name) ?? true);
        return {
          fields: Object.fromEntries(Object.entries(mapped).filter(isCompared)),
          campaignId: campaign?.id ?? null,
        };
      }),
    ...(fix !== undefined && {
      openRejects: (_out, reports) => {
        const [input] = rows.inputsAgain();
        const { identifierNames } = work;
        const fixes = { folder: fix, rows: reports, mapping, campaign, identifierNames, input };
        const nothing = (): Promise<void> => Promise.resolve();
        // Written when the report is.
        return { write: nothing, close: () => writeFixes(fixes), discard: nothing };
      },
    }),
  };
}

/**
 * The rows, and before the first of them is looked up a word on how much there is to ask. Rows that were rejected once, and
 * were sent later from the rejects of that run, end as `skipped`, and name the run that sent them (`sent`): they are known
 * again by uuid or by all identifiers.
 */
async function* compared(
  rows: FileRows,
  request: ReconcileRequest,
  perRow: 1 | 2,
  sent: ReadonlyMap<string, string>,
): AsyncGenerator<PreparedChunk, void, undefined> {
  let isFirst = true;
  for await (const chunk of rows.chunks()) {
    if (isFirst && chunk.progress > 0) {
      isFirst = false;
      const all = (chunk.first + chunk.count) / chunk.progress;
      const count = { rows: all, isEstimate: chunk.progress < 1, perRow };
      announceLookUps(count, request, rows.installation);
    }
    yield sent.size > 0 && chunk.rejected > 0 ? marked(chunk, sent) : chunk;
  }
}

function checkComparable(
  { mapping, installation, preparation }: FileRows,
  { fields = [], fix }: ReconcileRequest,
): void {
  const { mode, sections } = mapping;
  if (!COMPARABLE.has(mode))
    throw new UsageError(
      `A mapping of mode ${mode} does not say what a card should look like. Give one of mode create, upsert, update or enqueue.`,
    );
  const identifiers = new Set(syncFields(installation.card));
  const known = Object.keys(sections.client.fields).filter((name) => !identifiers.has(name));
  const unknown = fields.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(
      `The mapping gives no field ${unknown.join(', ')} to compare. It gives: ${known.join(', ')}.`,
    );
  if (fix !== undefined && preparation.inputs.length > 1)
    throw new UsageError('--fix works on one file at a time.');
}

const CASE = ['upper', 'lower', 'title'];

/** How the fields of a mapping are compared: by their type on the card, and without case where the mapping changes it. */
function fieldRules({ sections }: MappingFacts, { card }: Installation): FieldRules {
  return Object.fromEntries(
    Object.entries(sections.client.fields).map(([name, spec]) => {
      const transforms = typeof spec === 'string' ? [] : [spec.transform ?? []].flat();
      const ignoreCase = transforms.some((transform) =>
        CASE.some(
          (word) => transform === word || (typeof transform === 'object' && word in transform),
        ),
      );
      const type = card[name]?.type === 'Number' ? 'Number' : 'text';
      return [name, { type, ignoreCase }] as const;
    }),
  );
}

const OTHERS: ReadonlySet<RunMode> = new Set<RunMode>(['undo', 'reconcile', 'delete', 'dequeue']);

async function rowsFromRejects(
  ledger: Ledger,
  files: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const runs = await ledger.runs();
  const originOf = originFinder(runs);
  const takenBack = new Set(
    runs.filter(({ mode }) => mode === 'undo').flatMap(({ inputs }) => inputs),
  );
  const sent = new Map<string, string>();
  for (const { run, mode, inputs } of runs) {
    if (OTHERS.has(mode) || takenBack.has(`run ${run}`)) continue;
    if (!inputs.some((path) => files.has(originOf(path)?.file ?? ''))) continue;
    for (const { uuid, identifiers, outcome } of await ledger.rowsOf(run))
      if (GOOD_OUTCOMES.has(outcome) && outcome !== 'skipped')
        for (const key of keysOf(uuid, identifiers)) sent.set(key, run);
  }
  return sent;
}

function marked(chunk: PreparedChunk, sent: ReadonlyMap<string, string>): PreparedChunk {
  const read = readFactOf(chunk.read);
  let moved = 0;
  const rows = read.rows.map((record): RowRecord => {
    const [row, uuid, identifiers, status, , ...more] = record;
    if (status !== REJECTED) return record;
    const run = keysOf(uuid, identifiers).flatMap((key) => sent.get(key) ?? [])[0];
    if (run === undefined) return record;
    moved++;
    const message = `This row was rejected, and run ${run} sent it from the rejects.`;
    const why = { column: null, code: 'sent_later', message, value: null };
    return [row, uuid, identifiers, SKIPPED, [why], ...more];
  });
  if (moved === 0) return chunk;
  return {
    ...chunk,
    read: Buffer.from(JSON.stringify({ ...read, rows })),
    rejected: chunk.rejected - moved,
    skipped: chunk.skipped + moved,
  };
}

/** Statuses of a `RowRecord`. */
const [REJECTED, SKIPPED] = [1, 2] as const;

function keysOf(uuid: string | null, identifiers: readonly (string | number | null)[]): string[] {
  const keys = uuid === null ? [] : [`uuid ${uuid}`];
  if (identifiers.length > 0 && !identifiers.includes(null))
    keys.push(JSON.stringify(identifiers.map(String)));
  return keys;
}

/** Looks a client up, and its call applications where they are of interest, and compares. */
export function inspector(
  { readCard, readApplications }: ClientChanges,
  rules: FieldRules,
  expectedOf: (payload: unknown) => Expected,
): Inspect {
  return async ({ identifiers, payload }) => {
    const expected = expectedOf(payload);
    const card = await readCard(identifiers);
    const isThere = !isAbsent(card);
    const applications =
      isThere && expected.campaignId !== null ? await readApplications(identifiers) : [];
    return compare(
      expected,
      {
        card: isThere ? card : null,
        applications: isAbsent(applications) ? [] : applications,
      },
      rules,
    );
  };
}

/** Fewer look-ups are made before anybody has read about them. */
const WORTH_A_WORD = 1000;
/** Between these the answers of most contact centers lie, as requests a second. */
const USUAL_PACES = [100, 1000] as const;

/**
 * Says, before the first row is looked up, how many requests that takes and about how long: the interface has no way to
 * ask for several clients at once (interface.md 4.8, 4.12).
 */
export function announceLookUps(
  { rows, isEstimate, perRow }: { rows: number; isEstimate: boolean; perRow: 1 | 2 },
  { requestsPerSecond, onWarning }: Pick<RunOptions, 'requestsPerSecond' | 'onWarning'>,
  { limits }: Installation,
): void {
  if (rows < WORTH_A_WORD) return;
  const requests = Math.round(perRow * rows);
  const limit = Math.min(requestsPerSecond ?? Infinity, limits.requestsPerSecond ?? Infinity);
  const paces = limit < Infinity ? [limit] : USUAL_PACES;
  const times = paces.map((pace) => {
    const seconds = requests / pace;
    const time = seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
    return `${time} at ${whole(pace)} requests a second`;
  });
  onWarning?.(
    `${isEstimate ? 'About ' : ''}${whole(Math.round(rows))} rows are looked up one by one, with up to ${whole(requests)} requests: ${times.join(', ')}.`,
  );
}

interface FixesRequest {
  readonly folder: string;
  /** All rows of the comparison in order. To be iterated more than once. */
  readonly rows: Iterable<RowReport>;
  readonly mapping: MappingFacts;
  readonly campaign: CampaignSettings | null;
  readonly identifierNames: readonly string[];
  readonly input: ReadInput | undefined;
}

/**
 * Writes what is to be imported so that every row matches: `create.csv` for the missing, `update.csv` for the
 * different, with the differing fields alone, `enqueue.csv` for those outside the campaign, each with its mapping
 * beside it. What nothing is to be done about has none.
 */
async function writeFixes(request: FixesRequest): Promise<string[]> {
  const files = [
    await writeMissing(request),
    await writeDifferent(request),
    await writeOutside(request),
  ];
  return files.filter((file) => file !== null);
}

const SOURCE = { encoding: 'utf-8', delimiter: ',' };

/** The rows as they stand in the input, for the mapping of the comparison in mode `create`. */
async function writeMissing(request: FixesRequest): Promise<string | null> {
  const { folder, rows, mapping, campaign, input } = request;
  const { mode } = mapping;
  if (!input || (mode !== 'create' && mode !== 'upsert')) return null;
  const file = join(folder, 'create.csv');
  const writer = await openRejectsWriter({ file, format: 'csv', headers: input.input.headers });
  const inputRows = new InputRows(input);
  try {
    for (const report of rows) {
      if (report.outcome !== 'missing') continue;
      const row = await inputRows.find(report);
      if (!row)
        throw new InputError(
          'file_changed',
          'this is not any more the row that was compared: the file has changed. Compare it once more.',
          { file: input.file.name, sheet: report.sheet ?? undefined, row: report.row },
        );
      await writer.write(row.cells, 'missing', '');
    }
    if ((await writer.close()) === 0) return null;
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    await inputRows.close();
  }
  const document = withTables(mapping.document.value, dirname(mapping.document.file)) as object;
  await writeMapping(folder, 'create', {
    ...document,
    mode: 'create',
    // What is missing may have been deleted.
    recovery: true,
    source: SOURCE,
    ...(campaign ? { campaign: sectionOf(campaign) } : {}),
  });
  return file;
}

/** The differing fields of each row; an empty cell changes nothing. */
async function writeDifferent(request: FixesRequest): Promise<string | null> {
  const fields = new Set<string>();
  for (const row of request.rows) for (const [name] of differingFields(row)) fields.add(name);
  if (fields.size === 0) return null;
  const cellsOf = (row: RowReport): Cell[] | null => {
    const values = new Map(differingFields(row));
    return values.size === 0 ? null : [...fields].map((name) => textOf(values.get(name) ?? null));
  };
  return writeClients(request, 'update', [...fields], cellsOf);
}

async function writeOutside(request: FixesRequest): Promise<string | null> {
  const { rows, campaign } = request;
  if (!campaign || !some(rows, isOutside)) return null;
  const cellsOf = (row: RowReport): Cell[] | null => (isOutside(row) ? [] : null);
  return writeClients(request, 'enqueue', [], cellsOf, { campaign: sectionOf(campaign) });
}

/** Clients by their identifiers and these fields, with the mapping for them. `cellsOf`: `null` where a row is left out. */
async function writeClients(
  { folder, rows, identifierNames }: FixesRequest,
  mode: 'update' | 'enqueue',
  fields: readonly string[],
  cellsOf: (row: RowReport) => readonly Cell[] | null,
  more: object = {},
): Promise<string> {
  const columns = [...identifierNames, ...fields];
  const file = join(folder, `${mode}.csv`);
  const target = await openCsv(file, columns);
  try {
    for (const row of rows) {
      const cells = cellsOf(row);
      if (cells) await target.write([...row.identifiers.map(textOf), ...cells]);
    }
    await target.close();
  } catch (error) {
    await target.discard();
    throw error;
  }
  const client = { fields: Object.fromEntries(columns.map((column) => [column, { column }])) };
  await writeMapping(folder, mode, { mode, source: SOURCE, client, ...more });
  return file;
}

function some<T>(all: Iterable<T>, is: (one: T) => boolean): boolean {
  for (const one of all) if (is(one)) return true;
  return false;
}

function isOutside({ outcome, inspection }: RowReport): boolean {
  const isThere = outcome === 'not_in_campaign' || outcome === 'different';
  return isThere && inspection?.application === null;
}

/** Fields that an update can change: the card's own id cannot be. */
function differingFields({ inspection }: RowReport): (readonly [string, FieldValue])[] {
  return (inspection?.differences ?? [])
    .filter(({ field }) => field !== 'id')
    .map(({ field, sheet }) => [field, sheet] as const);
}

const textOf = (value: FieldValue): Cell => (value === null ? null : String(value));

/** The mapping lies elsewhere now: tables are named by their whole path. */
function withTables(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withTables(one, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      const file = (inner as { file?: unknown } | null)?.file;
      return key === 'lookup' && typeof file === 'string'
        ? [key, { ...(inner as object), file: resolve(folder, file) }]
        : [key, withTables(inner, folder)];
    }),
  );
}

async function writeMapping(folder: string, name: string, mapping: object): Promise<void> {
  await writePieces(join(folder, `${name}.yaml`), [stringify(mapping)]);
}

/** The campaign as a section of a mapping, which names it by its id only. */
function sectionOf({ name: _, ...section }: CampaignSettings): Omit<CampaignSettings, 'name'> {
  return section;
}

/** What a row says of its client. */
export interface Expected {
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Whether it should have a call application; `null` when that is of no interest. */
  readonly campaignId: number | null;
  /** Internal id that the card should have. */
  readonly clientId?: number | null | undefined;
  /** Whether there should be no card, or no call application, at all. */
  readonly gone?: 'card' | 'application' | undefined;
}

/** What the contact center has. `null`: there is no such card. */
export interface Found {
  readonly card: ClientCard | null;
  readonly applications: readonly ApplicationState[];
}

type FieldRules = Readonly<Record<string, FieldRule>>;

const AS_TEXT: FieldRule = { type: 'text', ignoreCase: false };

/** Compares what a row says with what the contact center has. */
export function compare(expected: Expected, found: Found, rules: FieldRules): Inspection {
  const { card, applications } = found;
  const application =
    applications.find(({ campaignId }) => campaignId === expected.campaignId) ?? null;
  if (expected.gone !== undefined) return compareGone(expected, found, application);
  if (card === null)
    return { verdict: 'missing', clientId: null, differences: [], application: null };
  const differences: Difference[] = [];
  const { fields, clientId } = expected;
  if (clientId != null && card.id !== clientId)
    differences.push({ field: 'id', sheet: clientId, center: card.id });
  for (const [field, sheet] of Object.entries(fields)) {
    const center = scalar(card.fields[field]);
    // Most cells are equal as they are.
    if (sheet === center) continue;
    const rule = rules[field] ?? AS_TEXT;
    if (normalForm(sheet, rule) === normalForm(center, rule)) continue;
    // As long as the contact center likes, it would be kept for every row.
    const shown = typeof center === 'string' ? shortenedMessage(center) : center;
    differences.push({ field, sheet, center: shown });
  }
  const isOutside = expected.campaignId !== null && application === null;
  const fits = isOutside ? 'not_in_campaign' : 'match';
  return {
    verdict: differences.length > 0 ? 'different' : fits,
    clientId: card.id,
    differences,
    application,
    ...(isOutside && differences.length > 0 ? { remark: OUTSIDE } : {}),
  };
}

const OUTSIDE = 'The client is not in the campaign either.';

function compareGone(
  { gone }: Expected,
  { card }: Found,
  application: ApplicationState | null,
): Inspection {
  const isThere = gone === 'card' ? card !== null : application !== null;
  const remark =
    gone === 'card' ? 'The card is still there.' : 'The client is still in the campaign.';
  return {
    verdict: isThere ? 'different' : 'match',
    clientId: card?.id ?? null,
    differences: [],
    application,
    ...(isThere ? { remark } : {}),
  };
}

/** What a card holds that no field can have is reported as JSON. */
function scalar(value: unknown): FieldValue {
  if (value === undefined || value === null) return null;
  const isScalar =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? value : JSON.stringify(value);
}

/** How the values of a field are brought to one form before they are compared. */
export interface FieldRule {
  readonly type: 'Number' | 'text';
  /** Whether the mapping changes the case of its values: then it says nothing. */
  readonly ignoreCase: boolean;
}

/**
 * One text for values that mean the same: numbers however they are written, white space collapsed, dates with or
 * without an empty time of day and in either order of their parts, nothing and an empty text alike.
 */
export function normalForm(value: FieldValue, { type, ignoreCase }: FieldRule): string {
  if (value === null) return '';
  const text = String(value).normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  if (type === 'Number') return numberForm(text);
  const date = dateForm(text);
  if (date !== null) return date;
  return ignoreCase ? text.toLocaleLowerCase('und') : text;
}

const NUMBER = /^([+-]?)0*(\d+)(?:\.(\d*?)0*)?$/;

/** Digits are compared as text: a number with twenty of them is not rounded. */
function numberForm(text: string): string {
  const match = NUMBER.exec(text);
  if (!match) return text;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = fraction === '' ? whole : `${whole}.${fraction}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.0+)?)?)?$/;
const DOTTED_DATE = /^(\d{2})\.(\d{2})\.(\d{4})(?: (\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** A date, with its time of day unless that is midnight; `null` when the text is none. */
function dateForm(text: string): string | null {
  const iso = ISO_DATE.exec(text);
  if (iso) return dated(`${iso[1]}-${iso[2]}-${iso[3]}`, iso.slice(4));
  const dotted = DOTTED_DATE.exec(text);
  return dotted && dated(`${dotted[3]}-${dotted[2]}-${dotted[1]}`, dotted.slice(4));
}

function dated(day: string, time: readonly (string | undefined)[]): string {
  const [hour = '00', minute = '00', second = '00'] = time;
  const clock = `${hour}:${minute}:${second}`;
  return clock === '00:00:00' ? day : `${day}T${clock}`;
}

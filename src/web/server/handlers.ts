import { measureFile, previewFile } from '../../run/preview.js';
import { openRuns } from '../../history/history.js';
import { defined } from '../../core/text.js';
import { type Row, type SourceInfo, CORRECTED } from '../../core/table.js';
import type {
  fileRoutes,
  aboutRoutes,
  checkRoutes,
  DescribedCenter,
  Name,
  setupRoutes,
  TakenOf,
} from '../shared/routes.js';
import type { Handlers, Site } from './handler.js';
import { masked, pageWords, asSentence, Refusal, refusal, notSet } from './problem.js';
import { keyOf, importHandlers } from './steps/import.js';
import {
  inTurn,
  listOf,
  type StoredList,
  sourceOptions,
  correct,
  readCorrections,
} from './lists/lists.js';
import { beginLikeLast, followSource, readMapping, writeMapping } from './lists/mappings.js';
import { shownList, commandOf, correctionsWords } from './lists/shown-list.js';
import { createWriteStream } from 'node:fs';
import { rm, stat, statfs } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Sessions } from './sessions.js';
import { historyHandlers, resultHandlers, shownListFacts } from './steps/result.js';
import { columnsHandlers } from './steps/columns.js';
import type { Setup, SiteSettings } from './settings.js';
import { NotSentError, UsageError } from '../../core/errors.js';
import { checkedUrl, fieldsOfClient, writeInstallation } from '../../setup/init.js';
import {
  cellOf,
  correctionOf,
  sealedCell,
  type KeptCheck,
  type CheckEnd,
  Seal,
  checkProblem,
  NO_PROBLEM,
  mendingColumns,
  reached,
  statesOf,
} from './checks.js';
import { type RunningCheck, mendedMapping } from '../../run/start-check.js';
import { MAX_FIELDS, MAX_NAME } from '../shared/page.js';
import { OUTCOME_COLUMN, PROBLEMS_COLUMN } from '../../core/report.js';

/** What stays free on the disk: the ledger and the reports need room too, in bytes. */
const RESERVE = 256 * 1024 * 1024;

const fileHandlers = {
  'GET /api/lists': async (_asked, { site }) => {
    const { settings, runs } = site;
    const lists = await site.lists.all();
    const started = lists.flatMap(({ run }) => run ?? []);
    // A ledger that cannot be read does not show which imports are over: then none counts as that.
    const open = await openRuns(settings.ledger, started).catch(() => undefined);
    return {
      lists: lists.map((list) => {
        const { run } = list;
        const isDone = run !== null && open?.has(run) === false && !runs.isAtWork(run);
        return { ...shownList(list, site), isDone };
      }),
    };
  },
  'POST /api/lists': async ({ body }, { site }) => {
    if ('sample' in body) {
      const sample = site.settings.samples.find(({ name }) => name === body.sample);
      if (!sample) throw refusal('no_sample');
      return shownList(await site.lists.create(await listOf(sample.path)), site);
    }
    const list = await site.lists.create({ ...body, path: null });
    try {
      const { bavail, bsize } = await statfs(site.lists.folder);
      if (body.bytes + RESERVE > bavail * bsize) throw refusal('no_room');
    } catch (error) {
      await site.lists.remove(list.id);
      throw error;
    }
    return shownList(list, site);
  },
  // The second of two uploads waits, and finds that the file is there.
  'PUT /api/lists/:list/file': ({ params }, { site, upload, signal }) =>
    inTurn(`file ${params.list}`, async () => {
      const list = await site.lists.get(params.list);
      if (list.complete) throw refusal('complete');
      try {
        if ((await receive(upload, list.file, signal)) !== list.bytes) throw refusal('broken_off');
        // One that cannot be read is refused while the person can choose another: nothing of it stays.
        await previewFile(list.file, list.name, {});
        return shownList(await site.lists.change(list.id, { complete: true }), site);
      } catch (error) {
        await site.lists.remove(list.id);
        throw error;
      }
    }),
  'GET /api/lists/:list': async ({ params }, { site }) => {
    const list = await site.lists.get(params.list);
    await site.lists.touch(list.id);
    return shownList(list, site);
  },
  'DELETE /api/lists/:list': async ({ params }, { site }) => {
    const list = await site.lists.get(params.list);
    if (await isImported(list, site)) throw refusal('list_at_work');
    await site.lists.remove(list.id);
    return {};
  },
  'GET /api/lists/:list/preview': async ({ params }, { site }) => {
    const list = await site.lists.get(params.list);
    await site.lists.touch(list.id);
    const isChosen = Object.values(list.source).some((choice) => choice !== null);
    if (list.step !== 'file' || isChosen) return shownPreview(list, site);
    await beginLikeLast(site, list);
    return shownPreview(await site.lists.get(list.id), site);
  },
  async *'GET /api/lists/:list/extent'({ params }, { site, signal }) {
    const { file, name, source } = await site.lists.get(params.list);
    for await (const extent of measureFile(file, name, sourceOptions(source))) {
      // Nobody waits for what is counted after the page has gone on.
      if (signal.aborted) return;
      yield extent;
    }
  },
  'PATCH /api/lists/:list/source': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    // A column of another sheet or delimiter is another column: the header is found anew.
    const header = 'sheet' in body || 'delimiter' in body ? { headerRow: null } : {};
    // Cells of a row of clients would be shown as names of columns.
    if (site.settings.mask && typeof body.headerRow === 'number') throw refusal('header_hidden');
    const changes = { ...header, ...defined(body) };
    const preview = await shownPreview({ ...list, source: { ...list.source, ...changes } }, site);
    await site.lists.change(list.id, ({ source }) => ({ source: { ...source, ...changes } }));
    await followSource(site, list, changes);
    return preview;
  },
} satisfies Handlers<keyof typeof fileRoutes>;

/** Whether this server or another process imports the list at this moment. */
async function isImported(list: StoredList, { runs }: Site): Promise<boolean> {
  if (runs.isBegun(keyOf(list))) return true;
  if (list.run === null) return false;
  const live = await runs.get(list.run).catch((error: unknown) => {
    // A run that is not on record any more is over.
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  return runs.isAtWork(list.run) || live?.elsewhere === true;
}

/** A file as far as its beginning shows it. */
async function shownPreview(list: StoredList, site: Site) {
  const found = await previewFile(list.file, list.name, sourceOptions(list.source));
  const { mask } = site.settings;
  const shown = ({ row, cells }: Row) => ({
    ...{ row, cells: cells.map((cell) => shownValue(cell, mask)) },
  });
  const { info, above, rows, headerProblem, header, headerRow, isJoined, count } = found;
  const { format, formatName, gzip, part, bytes, encoding = null, delimiter = null } = info;
  const packing = !gzip ? null : part === undefined ? ('gzip' as const) : ('zip' as const);
  return {
    list: shownList({ ...list, bytes }, site),
    ...{ format, formatName, packing, encoding, delimiter },
    ...{ header, headerRow, isJoined, count },
    sheets: sheetsOf(info),
    doubt: mask ? null : (info.encodingDoubt ?? null),
    headerProblem: headerProblem && asSentence(pageWords(headerProblem.reason)),
    above: above.map(shown),
    rows: rows.map(shown),
  };
}

/** The sheets with rows, in the order of the tabs. */
function sheetsOf({ sheets, otherSheets = [], hiddenSheets = [], tabs = sheets }: SourceInfo) {
  const all = new Set([...sheets, ...otherSheets]);
  return [...new Set([...tabs, ...all])]
    .filter((name) => all.has(name))
    .map((name) => ({
      ...{ name, isHidden: hiddenSheets.includes(name) },
      isRead: sheets.includes(name),
    }));
}

/**
 * Writes what is uploaded to a private file, piece by piece.
 * @returns its size
 */
async function receive(upload: Readable, path: string, signal: AbortSignal): Promise<number> {
  const file = createWriteStream(path, { mode: 0o600 });
  upload.pipe(file);
  try {
    const [read, written] = [finished(upload, { signal }), finished(file, { signal })];
    await Promise.all([read, written]);
  } catch (error) {
    // `pipeline` would end the upload, and a browser looks for the answer when all of its file has been taken.
    upload.unpipe(file);
    upload.resume();
    // A write that is still under way fails now: a consequence of what is thrown here.
    file.on('error', () => undefined);
    file.destroy();
    await rm(path, { force: true });
    throw error;
  }
  return (await stat(path)).size;
}

/** A handler for each route of the table. */
export const handlersOf = (sessions: Sessions) =>
  ({
    ...aboutHandlers(sessions),
    ...fileHandlers,
    ...checkHandlers,
    ...importHandlers,
    ...setupHandlers,
    ...resultHandlers,
    ...historyHandlers,
    ...columnsHandlers,
  }) satisfies Handlers;

type Given<T> = T extends AsyncIterable<infer Event> ? Event : Awaited<T>;

/** What a route answers with, or each event of its stream. */
export type Answer<N extends Name> = Given<ReturnType<ReturnType<typeof handlersOf>[N]>>;

const aboutHandlers = (sessions: Sessions) =>
  ({
    'POST /api/session': ({ body }) => {
      const session = sessions.open(body.token);
      if (session === undefined) throw refusal('old_address');
      return Promise.resolve({ session });
    },
    'GET /api/about': async (_asked, { site: { settings } }) => {
      const { version, readOnly, mask, open = null, center, setup, watch } = settings;
      const samples = await Promise.all(
        settings.samples.map(async ({ name, path }) => ({ name, bytes: (await stat(path)).size })),
      );
      const file = center ? null : (setup?.file ?? null);
      return {
        ...{ version, readOnly, mask, open, samples },
        /** Without an installation files can be looked at, and nothing else. */
        center: center ? { name: center.name, address: center.address, kind: center.kind } : null,
        /** Path of the installation file that the page can make; `null` where it has a contact center. */
        setup: file,
        /** Whether there is a pickup file, whose sources can be asked for. */
        watches: watch !== undefined,
      };
    },
    'GET /api/alive': () => Promise.resolve({ alive: true }),
    'POST /api/tickets': ({ body }) => Promise.resolve({ ticket: sessions.ticketFor(body.path) }),
  }) satisfies Handlers<keyof typeof aboutRoutes>;

/** As the command line is given it. @throws Refusal where the address is none */
function describedOf({ url, header }: DescribedCenter) {
  const headers = header
    ? [`${header.name}: ${header.scheme ? `${header.scheme} ` : ''}\${${header.variable}}`]
    : [];
  return { url: addressOf(url), headers };
}

/** An address as people write it: most leave `https://` out. */
function addressOf(url: string): string {
  try {
    return checkedUrl(/^\w+:\/\//.test(url) ? url : `https://${url}`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw refusal('bad_address', { field: 'url' });
  }
}

const setupHandlers = {
  'POST /api/setup/sandbox': (_asked, { site }) =>
    inTurn(SETUP, async () => {
      site.change(await setupOf(site).sandbox());
      return {};
    }),
  'POST /api/setup/fields': async ({ body }, { site, signal }) => {
    setupOf(site);
    const { env } = site.settings;
    const missing = missingOf(body, env);
    if (missing.length > 0) throw notSet(missing);
    const described = describedOf(body);
    const ids = new Map(body.ids.map(({ name, value }) => [name, value]));
    // One that has no value, or comes twice, names no client.
    if (ids.size === 0 || ids.size < body.ids.length || [...ids.values()].includes(''))
      throw refusal('no_values');
    const asked = { ...described, ids, env, signal };
    const found = await fieldsOfClient(asked).catch((error: unknown) => {
      throw error instanceof NotSentError ? refusal('unreachable', { field: 'url' }) : error;
    });
    const fields = found
      .filter(({ name }) => name.length <= MAX_NAME)
      .slice(0, MAX_FIELDS)
      .map(({ name, type, sync, required = false }) => ({ name, type, sync, required }));
    return { fields, leftOut: found.length - fields.length };
  },
  'POST /api/setup/installation': ({ body }, { site }) =>
    inTurn(SETUP, async () => {
      const setup = setupOf(site);
      const out = setup.file;
      await writeInstallation({ ...describedOf(body), fields: body.fields, out });
      site.change(await setup.installation(out));
      // Variables that the environment does not have: cardline has to be started again with them.
      const missing = missingOf(body, site.settings.env);
      return { file: out, fields: body.fields.length, missing };
    }),
} satisfies Handlers<keyof typeof setupRoutes>;

/** A page gets one contact center, whoever asks for it at the same time. */
const SETUP = 'setup';

const missingOf = ({ header }: DescribedCenter, env: SiteSettings['env']): string[] =>
  header && (env[header.variable] ?? '') === '' ? [header.variable] : [];

function setupOf({ settings: { setup, center } }: Site): Setup {
  if (setup && !center) return setup;
  throw refusal('has_center');
}

const seal = new Seal<OfferedRule>();

/** Values that a group shows before it is chosen. */
const VALUES = 3;

const shownValue = (value: string | null, mask: boolean): string | null =>
  value !== null && mask ? masked(value) : value;

/** Columns that are shown beside those with a problem. */
const COLUMNS = 40;

/** `undefined`: there is no such problem, or it has not come yet. */
const groupOf = (check: RunningCheck, key: string): Group | undefined =>
  check.state().groups.find((group) => keyOfGroup(group) === key);

/** The same in every check of a list, unlike the group's number: codes have no colon. */
const keyOfGroup = ({ column, code }: Pick<Group, 'column' | 'code'>): string =>
  `${code ?? ''}:${column ?? ''}`;

const checkHandlers = {
  // When another check takes its place meanwhile, the states of that one follow.
  async *'GET /api/lists/:list/check'({ params: { list: id } }, { site, signal }) {
    for (let again = true; !signal.aborted; again = false) {
      const { check, release } = await site.checks.hold(await reached(id, 'check', site), again);
      try {
        for await (const { state, end } of statesOf(check, signal)) {
          // It may have got another name for its mapping meanwhile.
          const list = await site.lists.get(id);
          yield shownState({ ...check, list }, state, end, site);
        }
      } finally {
        release();
      }
      if (!check.gone.aborted) return;
    }
  },
  'GET /api/lists/:list/check/rows': ({ params, query }, { site }) =>
    site.checks.look(params.list, (check) => shownRows(check, query, site.settings.mask)),
  'GET /api/lists/:list/check/mends': ({ params, query }, { site }) =>
    site.checks.look(params.list, (check) => shownMends(check, query.group, site.settings.mask)),
  'GET /api/lists/:list/check/remedies': ({ params, query }, { site, signal }) =>
    site.checks.look(params.list, async ({ revision, mapping, running }) => {
      const group = groupOf(running, query.group);
      const tried = group ? await running.remedies(group.id, signal) : null;
      const { rows = 0, isAll = false, remedies = [] } = tried ?? {};
      return {
        ...{ revision, rows, isAll },
        remedies: remedies.map(({ edit, kind, choice, example, gain }) => ({
          ...{ rule: seal.close({ mapping, edit }), kind, choice, gain },
          example: shownValue(example, site.settings.mask),
        })),
      };
    }),
  'POST /api/lists/:list/check/rules': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    const rule = seal.open(body.rule);
    const { text, revision } = await readMapping(site, list);
    // One of an earlier start cannot be opened.
    if (rule?.mapping !== revision) throw refusal('stale_mapping');
    const edited = mendedMapping(text, rule.edit, body.to);
    if (!('yaml' in edited)) {
      const isSigns = 'refused' in edited && edited.refused.code === 'needs_keep';
      throw refusal(isSigns ? 'rule_signs' : 'rule_not_made');
    }
    // The revision of the mapping that has it.
    return { mapping: (await writeMapping(site, list, { text: edited.yaml, revision })).revision };
  },
  'GET /api/lists/:list/corrections': async ({ params }, { site }) =>
    shownCorrections(params.list, site),
  'PUT /api/lists/:list/corrections': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    const cell = cellOf(body.cell);
    // It may have been corrected since it was shown.
    const earlier = correctionOf(await readCorrections(list), cell);
    const becomes = body.value === '' ? null : body.value;
    correct(list, { ...(earlier ?? cell), becomes });
    return shownCorrections(list.id, site);
  },
  'DELETE /api/lists/:list/corrections': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    const found = correctionOf(await readCorrections(list), body);
    // What another tab has taken back already is as it should be.
    if (found) correct(list, { ...found, becomes: found.was });
    return shownCorrections(list.id, site);
  },
} satisfies Handlers<keyof typeof checkRoutes>;

async function shownCorrections(id: string, site: Site) {
  const { lists, settings } = site;
  const shown = (value: string | null): string | null => shownValue(value, settings.mask);
  const found = await readCorrections(await lists.get(id));
  return {
    corrections: found.map(({ sheet, row, column, was, becomes }) => ({
      ...{ sheet, row, column, was: shown(was), becomes: shown(becomes) },
    })),
  };
}

const NO_GROUP = { id: -1, values: [], hasMoreValues: false };

type Mend = Awaited<ReturnType<RunningCheck['mends']>>[number];

async function shownMends(check: KeptCheck, key: string, mask: boolean) {
  const { revision, mapping, running } = check;
  // None has come yet, or all are mended.
  const { id, values, hasMoreValues } = groupOf(running, key) ?? NO_GROUP;
  const found = await Promise.all(
    values.map(async (counted) => ({ counted, mends: await running.mends(id, counted.value) })),
  );
  const offer = (mends: readonly Mend[], kind: Mend['edit']['kind']) => {
    const mend = mends.find(({ edit }) => edit.kind === kind);
    if (!mend) return null;
    const { edit, choices = null, rows, mends: mended, isMin } = mend;
    return { rows, mends: mended, isMin, choices, rule: seal.close({ mapping, edit }) };
  };
  return {
    ...{ revision, mapping, hasMoreValues },
    values: found.map(({ counted: { value, rows }, mends }) => ({
      ...{ value: shownValue(value, mask) ?? '', rows },
      replace: offer(mends, 'mapValue'),
      blank: offer(mends, 'blank'),
    })),
  };
}

/** A rule, and the revision of the mapping that it was made for. */
interface OfferedRule {
  readonly mapping: string;
  readonly edit: Parameters<typeof mendedMapping>[1];
}

/** A check as the page sees it. `end`: set once it has ended. */
function shownState(
  { list, rejectsOf, revision, mapping, corrections, sentences }: KeptCheck,
  state: ReturnType<RunningCheck['state']>,
  end: CheckEnd | undefined,
  { settings }: Pick<Site, 'settings'>,
) {
  const { phase, hasFirstRows, mode, share, secondsLeft } = state;
  const { rows, clients, rejected, skipped, duplicates } = state;
  const corrected = corrections.length === 0 ? [] : correctionsWords(list);
  const command = commandOf({ ...list, step: 'check' }, settings, corrected);
  const result = end && 'result' in end ? end.result : undefined;
  const doubts = result?.suspicions ?? [];
  return {
    ...{ phase, hasFirstRows, mode, share, secondsLeft },
    ...{ rows, clients, rejected, skipped, duplicates },
    list: { ...shownList(list, { settings }), command },
    ...{ rejectsOf, revision, mapping },
    // Rejected rows with the same problem in the same column. A row with several problems is in several groups.
    groups: state.groups.map(({ column, code, message, rows: count, values }) => ({
      ...{ column, code, message, rows: count },
      key: keyOfGroup({ column, code }),
      values: values
        .slice(0, VALUES)
        .map((one) => ({ value: shownValue(one.value, settings.mask) ?? '', rows: one.rows })),
    })),
    notShown: state.indexed.missing ?? null,
    corrections: corrections.length,
    // The corrected cells are listed by themselves.
    remarks: (result?.remarks ?? [])
      .filter(({ code }) => code !== CORRECTED)
      .map(({ column, code, message, count }) => ({ column, code, message, rows: count })),
    facts: shownListFacts(result?.quality, result?.checks ?? [], [list.name]),
    // Of the mapping alone; what is wrong with the list itself is told among the notes.
    suspicions: doubts.filter(({ isOfList }) => !isOfList).map(({ message }) => message),
    notes: [
      ...[...sentences, ...(result?.notes ?? [])],
      ...doubts.filter(({ isOfList }) => isOfList).map(({ message }) => message),
    ],
    ...(end && 'error' in end ? checkProblem(end.error, list) : NO_PROBLEM),
  };
}

type CheckedRow = Awaited<ReturnType<RunningCheck['page']>>['rows'][number];

/** A page of the rows of a group. None where no row has the problem (yet). */
async function shownRows(
  check: KeptCheck,
  { group: key, offset, limit }: TakenOf<'GET /api/lists/:list/check/rows'>['query'],
  mask: boolean,
) {
  const { revision, running } = check;
  const group = groupOf(running, key);
  const { total, rows } = group
    ? await running.page({ group: group.id, offset, limit })
    : { total: 0, rows: [] };
  // Why an earlier run rejected the row is no news here, where all that is wrong now is named.
  const all = (rows[0]?.cells ?? [])
    .map(({ column }) => column)
    .filter((column) => column !== OUTCOME_COLUMN && column !== PROBLEMS_COLUMN);
  const columns = group ? shownColumns(all, rows, group, check) : [];
  return {
    ...{ revision, total, offset, columns, moreColumns: all.length - columns.length },
    rows: rows.map((row) => shownRow(row, columns, check, mask)),
  };
}

/** The columns of the group come first, so that they are seen on a narrow screen too. */
function shownColumns(
  all: readonly string[],
  rows: readonly CheckedRow[],
  { column: label, code }: Group,
  { columnsOf }: KeptCheck,
): string[] {
  const bad = new Set(
    rows
      .flatMap(({ cells }) => cells.filter(({ problems }) => problems.length > 0))
      .map(({ column }) => column),
  );
  const own =
    label === null ? mendingColumns(columnsOf, [code]) : new Set([label, ...label.split(', ')]);
  const first = all.filter((column) => own.has(column));
  const others = all.filter((column) => !own.has(column));
  return [...first, ...others.filter((column, at) => at < COLUMNS || bad.has(column))];
}

function shownRow(
  { sheet, row, cells, problems }: CheckedRow,
  columns: readonly string[],
  { corrections, columnsOf }: KeptCheck,
  mask: boolean,
) {
  const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
  const mending = mendingColumns(
    columnsOf,
    problems.map(({ code }) => code),
  );
  return {
    ...{ sheet, row, problems },
    cells: columns.map((column) => {
      const place = { sheet, row, column };
      const correction = correctionOf(corrections, place);
      const { value = null, isCut = false, problems: own = [] } = byColumn.get(column) ?? {};
      const isBad = own.length > 0 || mending.has(column);
      const was = correction ? correction.was : value;
      return {
        value: shownValue(value, mask),
        problems: own,
        ...{ isCut, isCorrected: correction !== undefined },
        /** Stands for the cell and what the file holds in it, for a correction; `null` where there is nothing to correct. */
        cell: isBad && (correction || !isCut) ? sealedCell({ ...place, was }) : null,
      };
    }),
  };
}

/** A group as the engine counts it. */
type Group = ReturnType<RunningCheck['state']>['groups'][number];

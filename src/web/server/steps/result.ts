import { OUTCOMES, type Problem, MODE_TRAITS, type RunMode } from '../../../core/outcome.js';
import { previewUndo } from '../../../run/execute.js';
import type { historyRoutes, resultRoutes } from '../../shared/routes.js';
import type { Handlers, Download, Site } from '../handler.js';
import { masked, maskedWords, refusal } from '../problem.js';
import { startReconcile, startResume, startUndo } from './import.js';
import { noSuchRun, outcomesOf, rejectsOf, shownOrigin } from '../runs/runs.js';
import { basename, join, extname, parse } from 'node:path';
import { temporaryFolder } from '../../../files/regular-file.js';
import {
  countRun,
  findRuns,
  type ListedRun,
  mendSource,
  reportLines,
  sourceTrend,
  watchComparison,
  writeReportFile,
} from '../../../history/history.js';
import {
  FORMATS,
  isLineFormat,
  REPORT_FORMATS,
  type ReportFormat,
} from '../../../report/formats.js';
import { readFile, stat } from 'node:fs/promises';
import { sourceIn, withSource } from '../../../setup/columns.js';
import type { RunPage, RunResult } from '../../../history/results.js';
import { defined, commandLine } from '../../../core/text.js';
import {
  codeOf,
  LedgerError,
  LedgerInUseError,
  NewerLedgerError,
  NoLedgerError,
} from '../../../core/errors.js';
import { listOf, type StoredList } from '../lists/lists.js';
import { writeMapping } from '../lists/mappings.js';
import type { RowReport } from '../../../core/report.js';
import { reportColumns, reportedRun } from '../../../report/rows.js';
import { differenceText, checkText } from '../../../report/text/check-text.js';
import type { Language } from '../../shared/page.js';
import { sentenceIn } from '../language.js';
import type { Reason } from '../../../report/reasons.js';
import { ledgerWords } from '../lists/shown-list.js';
import { type CheckOutcome, type ListQuality, QUALITY_PART_NAMES } from '../../../core/quality.js';

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

const maskedNext = (text: string, top: Reason | null): string =>
  top?.from === 'contact center' ? text.replace(/(?<=for one reason: ).*$/s, maskedWords) : text;

/** Reasons and remarks that are shown; the reports have all. */
const SHOWN = 100;

/** What was found out about a list, as the page sees it. `inputs`: names of its files. */
export const shownListFacts = (
  quality: ListQuality | null | undefined,
  checks: readonly CheckOutcome[],
  inputs: readonly string[],
) => ({
  quality: quality
    ? {
        ...{ score: quality.score, rows: quality.rows, lost: quality.lost },
        ...{ outside: quality.outside ?? 0, whole: quality.whole ?? null },
        parts: QUALITY_PART_NAMES.flatMap((part) => {
          const its = quality.parts[part];
          return its ? [{ part, points: its.points, of: its.of, rows: its.rows }] : [];
        }),
      }
    : null,
  checks: checks.map((found) => ({
    holds: found.holds,
    isStop: found.else === 'stop',
    sentence: checkText(found, inputs),
  })),
});

export const resultHandlers = {
  'GET /api/runs/:run/result': async ({ params: { run } }, { site }) =>
    shownResult(await orNoSuchRun(site.results.result(run)), site),
  'GET /api/runs/:run/rows': async ({ params: { run }, query }, { site, language }) => {
    const { offset, limit, reason, remark } = query;
    const outcome = OUTCOMES.find((one) => one === query.outcome);
    const request = { filter: { outcome, reason, remark }, offset, limit };
    const { mask } = site.settings;
    const page = await orNoSuchRun(site.results.page(run, request));
    return shownRows(page, offset, { mask, language });
  },
  'GET /api/runs/:run/files/:file': ({ params: { run, file } }, { site }) =>
    orNoSuchRun(runFile(run, file, site)),
  'POST /api/runs/:run/mend': async ({ params: { run }, body }, { site }) => ({
    list: await orNoSuchRun(mendRejects(run, body.file, site)),
  }),
  /** `rows`: the number to type; `remaining`: those of which something stays, or is not known. */
  'GET /api/runs/:run/undo': async ({ params: { run } }, { site }) => {
    const found = await orNoSuchRun(previewUndo(run, site.settings.ledger));
    const { rows, cards, applications, fields, remaining } = found;
    return { rows, cards, applications, fields, remaining };
  },
  'POST /api/runs/:run/undo': async ({ params: { run }, body }, { site }) => {
    const { rows } = await orNoSuchRun(previewUndo(run, site.settings.ledger));
    if (rows !== body.rows) throw refusal('undo_changed');
    return { run: await startUndo(site, run) };
  },
  'POST /api/runs/:run/reconcile': async ({ params: { run } }, { site }) => ({
    run: await startReconcile(site, run),
  }),
  'POST /api/runs/:run/resume': async ({ params: { run } }, { site }) => ({
    run: await startResume(site, run),
  }),
} satisfies Handlers<keyof typeof resultRoutes>;

const orNoSuchRun = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw noSuchRun(error);
  });

/** A report in the format that the name ends with, or a file of rejects. @throws Refusal where there is no such file */
async function runFile(run: string, file: string, site: Site): Promise<Download> {
  if (site.settings.mask) throw refusal('masked');
  const format = REPORT_FORMATS.find((one) => file === `report${FORMATS[one].ending}`);
  if (format !== undefined) return report(run, format, site);
  const { rejects } = await site.results.result(run);
  const path = rejects.find((one) => basename(one) === file);
  if (path === undefined) throw refusal('no_file');
  const ending = basename(path).split('.').at(-1) ?? '';
  return { path, name: `${run}-${file}`, type: TYPES[ending] ?? 'application/octet-stream' };
}

async function report(run: string, format: ReportFormat, site: Site): Promise<Download> {
  const { ledger } = site.settings;
  const name = `report-${run}${FORMATS[format].ending}`;
  const type = TYPES[format] ?? 'application/octet-stream';
  // Asked first, so that what is wrong is answered, and not met in the middle of the file.
  await site.results.result(run);
  if (isLineFormat(format)) return { name, type, pieces: reportLines({ run, format, ledger }) };
  const folder = await temporaryFolder();
  try {
    const path = await writeReportFile({ run, format, ledger, file: join(folder.path, name) });
    return { name, type, path, release: () => folder.remove() };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/**
 * Makes a list of a run's rejects, with its mapping, to mend them right here. They are read where they are: by their
 * place a new run knows the one that they come from.
 * @returns its id
 */
async function mendRejects(run: string, file: string, site: Site): Promise<string> {
  const { rejects, run: record } = await site.results.result(run);
  const path = rejects.find((one) => basename(one) === file);
  if (path === undefined) throw refusal('no_rejects');
  const settings = await mendSource(run, site.settings.ledger);
  if (!settings) throw refusal('other_version');
  const mapping = await readFile(settings.mapping, 'utf8').catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? refusal('no_mapping') : error;
  });
  // The rejects are read as the command said it; their one sheet has its own name, and no number.
  const { sheet, encoding, delimiter } = settings.source;
  const numbered = typeof sourceIn(mapping)?.sheet === 'number' ? { sheet: null } : {};
  const text = withSource(mapping, { ...numbered, ...defined({ sheet, encoding, delimiter }) });
  const before = (await site.lists.all()).find((one) => one.run === run);
  const [input = file] = record.inputs;
  const name = `${parse(before?.name ?? basename(input)).name}.rejects${extname(path)}`;
  const list = await site.lists.create({ ...(await listOf(path)), name });
  const origin = {
    mapping: before?.mapping ?? null,
    mappingFile: text === mapping ? (before?.mappingFile ?? settings.mapping) : null,
  };
  await writeMapping(site, list, { text, revision: null, origin });
  const choice = before?.choice ?? { ...list.choice, campaign: settings.campaign };
  await site.lists.change(list.id, { choice, step: 'check' });
  return list.id;
}

/** The columns of the report's page, but for the uuid, which nobody reads. */
function shownRows(
  page: RunPage,
  offset: number,
  { mask, language }: { readonly mask: boolean; readonly language: Language },
) {
  const run = reportedRun(page);
  const columns = reportColumns('page', run).filter(({ part }) => part !== 'uuid');
  const rows = (mask ? page.rows.map(maskedRow) : page.rows).map((row) =>
    rowInLanguage(row, language),
  );
  const cells = rows.map((row) =>
    columns.map(({ name, page: own, cell }) =>
      name === 'differences'
        ? (row.inspection?.differences
            .map((one) => sentenceIn(language, differenceText(one)))
            .join('; ') ?? null)
        : (own ?? cell)(row, run),
    ),
  );
  // What no row of the page has takes no room, but for what every report has.
  const isUsed = columns.map(
    ({ part }, at) =>
      part === 'row' || part === 'outcome' || cells.some((row) => (row[at] ?? '') !== ''),
  );
  const used = <T>(all: readonly T[]): T[] => all.filter((_, at) => isUsed[at]);
  return {
    total: page.total,
    offset,
    columns: used(columns).map(({ name, part }) => ({ name, part })),
    rows: rows.map(({ outcome }, at) => ({ outcome, cells: used(cells[at] ?? []) })),
  };
}

/** A row with what the contact center and its problems say in other words. */
function rowWith(
  row: RowReport,
  words: (text: string) => string,
  ofProblem: (problem: Problem) => Problem,
): RowReport {
  const { createResult, enqueueResult, changeResult, problems, remarks } = row;
  return {
    ...row,
    createResult: createResult && words(createResult),
    enqueueResult: enqueueResult && words(enqueueResult),
    changeResult: changeResult && words(changeResult),
    problems: problems.map(ofProblem),
    ...(remarks ? { remarks: remarks.map(ofProblem) } : {}),
  };
}

/** Without what the row's cells say; where the row stands, and why it ended as it did, remain. */
function maskedRow(row: RowReport): RowReport {
  const { identifiers, inspection } = row;
  return {
    ...rowWith(row, maskedWords, (one) => ({ ...one, value: one.value && masked(one.value) })),
    identifiers: identifiers.map((value) => (value === null ? null : masked(String(value)))),
    ...(inspection
      ? {
          inspection: {
            ...inspection,
            differences: inspection.differences.map(({ field, sheet, center }) => ({
              ...{ field, sheet: sheet && masked(String(sheet)) },
              center: center && masked(String(center)),
            })),
          },
        }
      : {}),
  };
}

/** A row whose reasons are in a language. A report puts them together to texts that no catalogue knows. */
function rowInLanguage(row: RowReport, language: Language): RowReport {
  if (language === 'en') return row;
  const translated = (words: string): string => sentenceIn(language, words);
  const { inspection } = row;
  return {
    ...rowWith(row, translated, (one) => ({ ...one, message: translated(one.message) })),
    ...(inspection?.remark === undefined
      ? {}
      : { inspection: { ...inspection, remark: translated(inspection.remark) } }),
  };
}

async function shownResult(found: RunResult, site: Site) {
  const { run, index, next } = found;
  const { mask } = site.settings;
  const isUndoing = site.runs.isUndoing(run.run);
  const reasons = index.tally.reasons.byNeed().map((reason) => shownReason(reason, mask));
  const { kind, sentence, more, bad, top } = next;
  const list = (await site.lists.all()).find((one) => one.run === run.run);
  return {
    run: run.run,
    list: list?.id ?? null,
    state: run.state,
    isHere: site.runs.isAtWork(run.run),
    isUndoing,
    mode: run.mode,
    /** What to do first: in English in the words of report and command line, and as numbers. */
    next: {
      kind: isUndoing ? ('wait' as const) : kind,
      sentence: mask ? maskedNext(sentence, top) : sentence,
      more: mask ? maskedNext(more, top) : more,
      ...{ bad, top: top && shownReason(top, mask) },
    },
    inputs: found.files.map((input) => (list ? list.name : basename(input))),
    rejectsOf: await rejectsOf(found.files[0], site.settings),
    campaign: found.campaignName ?? run.campaignId?.toString() ?? null,
    sandbox: found.isSandbox,
    startedAt: new Date(run.createdAt).toISOString(),
    endedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
    rows: index.rows,
    outcomes: outcomesOf(index.tally.outcomes),
    waiting: index.waiting,
    reasons: reasons.slice(0, SHOWN),
    moreReasons: Math.max(0, reasons.length - SHOWN) + index.tally.reasons.unlisted,
    /** What was left out or corrected in rows that were sent all the same. */
    remarks: index.remarks.slice(0, SHOWN).map(({ column, message }, id) => ({
      ...{ id, column, message },
      rows: index.count({ remark: id }),
    })),
    facts: shownListFacts(
      index.tally.quality,
      found.listChecks,
      found.files.map((file) => basename(file)),
    ),
    reports: (mask ? [] : REPORT_FORMATS).map((format) => ({
      id: `report${FORMATS[format].ending}`,
      name: `report-${run.run}${FORMATS[format].ending}`,
    })),
    rejects: await Promise.all(
      (mask ? [] : found.rejects).map(async (path) => ({
        ...{ id: basename(path), name: basename(path) },
        bytes: (await stat(path)).size,
      })),
    ),
    about: found.about,
    undos: found.undos,
    checks: found.checks,
    ...possibleWork(found),
    command: commandLine(['report', run.run, '--open', ...ledgerWords(site.settings)]),
  };
}

function possibleWork({ run: { mode, state }, isTakenBack }: RunResult) {
  const isUnderWay = state === 'running';
  const notNow = isUnderWay ? 'it is under way' : isTakenBack ? 'it was taken back' : null;
  return {
    /** Whether one of the undos has come to its end: nothing is left to take back or to mend. */
    isTakenBack,
    canResume: !isUnderWay && !isTakenBack && state !== 'finished',
    canReconcile: !isUnderWay && mode !== 'undo' && mode !== 'reconcile',
    /** Why nothing of it can be taken back; `null` when it can. */
    notUndoable: MODE_TRAITS[mode].notUndoable ?? notNow,
  };
}

const shownReason = ({ id, outcome, from, column, message, rows }: Reason, mask: boolean) => ({
  ...{ id, outcome, column, rows },
  message: mask && from === 'contact center' ? maskedWords(message) : message,
});

/** Why a ledger cannot be looked at, the more special first. */
const REASONS = [
  [LedgerInUseError, 'ledger_in_use'],
  [NewerLedgerError, 'newer_ledger'],
  [NoLedgerError, 'no_ledger'],
  [LedgerError, 'ledger_unread'],
] as const;

export const historyHandlers = {
  'GET /api/runs': async ({ query: { mode, ...query } }, { site }) => {
    const { ledger } = site.settings;
    const wanted = mode !== undefined && isRunMode(mode) ? { mode } : {};
    const { runs, ...counts } = await found(findRuns({ ledger, ...query, ...wanted }));
    const lists = await site.lists.all();
    return {
      ...counts,
      offset: query.offset,
      runs: runs.map((run) => pastRun(run, lists, site)),
      command: commandLine(['runs', ...ledgerWords(site.settings)]),
    };
  },
  'GET /api/watch': async (_asked, { site }) => {
    const { sources } = (await site.settings.watch?.()) ?? { sources: [] };
    return {
      sources: sources.map(({ name, last, waiting, late, exitCode }) => ({
        ...{ name, last, waiting, late, exitCode },
      })),
    };
  },
  'GET /api/runs/:run/counts': async ({ params }, { site, signal }) => {
    const { rows, outcomes } = await found(countRun(site.settings.ledger, params.run, signal));
    return { rows, outcomes: outcomesOf(outcomes) };
  },
  'GET /api/runs/:run/compared/:other': async function* ({ params }, { site, signal }) {
    const { ledger } = site.settings;
    const lists = await site.lists.all();
    try {
      for await (const state of watchComparison(ledger, [params.run, params.other], signal)) {
        const pair = [state.earlier, state.later] as const;
        const [earlier, later] = pair.map((run) => pastRun(run, lists, site));
        if (!earlier || !later) return;
        const words = [
          'report',
          '--compare',
          earlier.run,
          later.run,
          ...ledgerWords(site.settings),
        ];
        const { counts, share, done } = state;
        const ways = state.ways.map((way) => ({
          ...way,
          examples: way.examples.map((example) => ({ ...example, file: basename(example.file) })),
        }));
        yield { earlier, later, counts, share, done, ways, command: commandLine(words) };
      }
    } catch (error) {
      throw viewRefusal(error);
    }
  },
  'GET /api/runs/:run/trend': async ({ params }, { site, signal }) => {
    const { points, mapping, source, isCut } = await found(
      sourceTrend(site.settings.ledger, params.run, signal),
    );
    return {
      ...{ source, isCut },
      points: points.map(({ createdAt, file, outcomes, ...point }) => ({
        ...point,
        startedAt: new Date(createdAt).toISOString(),
        file: basename(file),
        outcomes: outcomesOf(outcomes),
      })),
      command:
        mapping === null
          ? null
          : commandLine(['runs', '--trend', mapping, ...ledgerWords(site.settings)]),
    };
  },
} satisfies Handlers<keyof typeof historyRoutes>;

const found = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw viewRefusal(error);
  });

function pastRun(run: ListedRun, lists: readonly StoredList[], site: Site) {
  const { mode, state, inputs, rows, campaignId, campaignName, outcomes, endedAt } = run;
  const { worksOn, undos } = run;
  const { center } = site.settings;
  const sandbox = run.isSandbox === true;
  const isOther = center !== undefined && run.center !== center.name;
  // The sandbox has the name of the contact center that it stands for.
  const isElsewhere = isOther || sandbox !== (center?.kind === 'sandbox');
  const isAtWork = state === 'running';
  const isUndoing = site.runs.isUndoing(run.run);
  const isFree = !isAtWork && !isUndoing;
  const canAct = center !== undefined && !isElsewhere && isFree && !site.settings.readOnly;
  const list = lists.find((one) => one.run === run.run || inputs.includes(one.file));
  return {
    ...{ run: run.run, mode, state, rows, worksOn, undos },
    startedAt: new Date(run.createdAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    ...{ isHere: site.runs.isAtWork(run.run), isUndoing },
    files: run.files.map((file) => basename(file)),
    rejectsOf: shownOrigin(run.rejectsOf),
    campaign: campaignName ?? (campaignId === null ? null : String(campaignId)),
    otherCenter: isOther ? run.center : null,
    ...{ sandbox, outcomes: outcomes === null ? [] : outcomesOf(outcomes), list: list?.id ?? null },
    canResume: canAct && run.canResume,
    canUndo: canAct && !run.isTakenBack && MODE_TRAITS[mode].notUndoable === null,
    canReconcile: canAct && mode !== 'undo' && mode !== 'reconcile',
  };
}

/** What is thrown where runs could not be looked at. */
function viewRefusal(error: unknown): unknown {
  const found = REASONS.find(([Kind]) => error instanceof Kind);
  return found ? refusal(found[1]) : noSuchRun(error);
}

const isRunMode = (word: string): word is RunMode => word in MODE_TRAITS;

import { previewUndo } from '../../../run/on-record.js';
import { OUTCOMES, GOOD_OUTCOMES } from '../../../core/outcome.js';
import type { resultRoutes, ResultRows, Result, ResultReason } from '../../shared/result.js';
import type { Handlers, Download, Site } from '../handler.js';
import { Refusal, masked, maskedWords } from '../problem.js';
import { startReconcile, startResume, startUndo } from '../runs/start.js';
import { noSuchRun, rejectsOf } from '../runs/runs.js';
import { basename, join, extname, parse } from 'node:path';
import { temporaryFolder } from '../../../files/at-exit.js';
import {
  reportLines,
  writeReportFile,
  mendSource,
  type MendSource,
} from '../../../history/history.js';
import {
  FORMATS,
  isLineFormat,
  REPORT_FORMATS,
  type ReportFormat,
} from '../../../report/formats.js';
import { readFile, stat } from 'node:fs/promises';
import { type ChosenSource, sourceIn, withSource } from '../../../setup/mappings.js';
import type { RunPage, RunResult } from '../../../history/results.js';
import { defined, commandLine } from '../../../core/text.js';
import { codeOf } from '../../../core/errors.js';
import { listOf } from '../lists/lists.js';
import { writeMapping } from '../lists/mappings.js';
import type { Problem } from '../../../core/problem.js';
import type { RowReport } from '../../../core/report.js';
import { reportColumns, reportedRun } from '../../../report/rows.js';
import { differenceText, checkText } from '../../../report/text/check-text.js';
import type { ShownListFacts } from '../../shared/route.js';
import type { Language } from '../../shared/in-browser.js';
import { sentenceIn } from '../language.js';
import { MODE_TRAITS } from '../../../core/mode.js';
import type { Reason } from '../../../report/reasons.js';
import { ledgerWords } from '../lists/shown-list.js';
import { type CheckOutcome, type ListQuality, QUALITY_PART_NAMES } from '../../../core/quality.js';

const hidden = (): Refusal =>
  new Refusal(403, {
    code: 'masked',
    sentence: 'This file holds personal data, which this page hides.',
    next: 'Start cardline ui without --mask to download it.',
  });

const noFile = (): Refusal =>
  new Refusal(404, {
    code: 'no_file',
    sentence: 'This file of the run is not there any more.',
    next: 'The reports can be made again from the ledger.',
  });

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  jsonl: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

const changedSince = (): Refusal =>
  new Refusal(409, {
    code: 'undo_changed',
    sentence: 'The number is not that of the rows that would be taken back.',
    next: 'Look at what would be done, and type the number again.',
  });

const otherVersion = (): Refusal =>
  new Refusal(409, {
    code: 'other_version',
    sentence: 'This run was begun by another version of cardline.',
    next: 'Download the rejects, and choose them as a new spreadsheet.',
  });

const noMapping = (): Refusal =>
  new Refusal(409, {
    code: 'no_mapping',
    sentence: 'The mapping of this run is not there any more.',
    next: 'Download the rejects, and choose them as a new spreadsheet.',
  });

const noRejects = (): Refusal =>
  new Refusal(404, {
    code: 'no_rejects',
    sentence: 'The rejects of this run are not there any more.',
    next: 'Look at its rows, and correct them in the spreadsheet itself.',
  });

const maskedProblem = (problem: Problem): Problem => ({
  ...problem,
  value: problem.value && masked(problem.value),
});

const differencesIn = ({ inspection }: RowReport, language: Language): string | null =>
  inspection?.differences.map((one) => sentenceIn(language, differenceText(one))).join('; ') ??
  null;

const reportsOf = (run: string): Result['reports'] =>
  REPORT_FORMATS.map((format) => ({
    id: `report${FORMATS[format].ending}`,
    name: `report-${run}${FORMATS[format].ending}`,
    bytes: null,
  }));

const maskedNext = (text: string, top: Reason | null): string =>
  top?.from === 'contact center' ? text.replace(/(?<=for one reason: ).*$/s, maskedWords) : text;

/** Reasons and remarks that are shown; the reports have all. */
const SHOWN = 100;

const shownQuality = ({
  score,
  rows,
  lost,
  outside = 0,
  parts,
  whole,
}: ListQuality): NonNullable<ShownListFacts['quality']> => ({
  ...{ score, rows, lost, outside, whole: whole ?? null },
  parts: QUALITY_PART_NAMES.flatMap((part) => {
    const its = parts[part];
    return its ? [{ part, points: its.points, of: its.of, rows: its.rows }] : [];
  }),
});

/** What was found out about a list, as the page sees it. `inputs`: names of its files. */
export const shownListFacts = (
  quality: ListQuality | null | undefined,
  checks: readonly CheckOutcome[],
  inputs: readonly string[],
): ShownListFacts => ({
  quality: quality ? shownQuality(quality) : null,
  checks: checks.map((found) => ({
    holds: found.holds,
    isStop: found.else === 'stop',
    sentence: checkText(found, inputs),
  })),
});

export const resultHandlers: Handlers<keyof typeof resultRoutes> = {
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
  'GET /api/runs/:run/undo': ({ params: { run } }, { site }) =>
    orNoSuchRun(previewUndo(run, site.settings.ledger)),
  'POST /api/runs/:run/undo': async ({ params: { run }, body }, { site }) => {
    const { rows } = await orNoSuchRun(previewUndo(run, site.settings.ledger));
    if (rows !== body.rows) throw changedSince();
    return { run: await startUndo(site, run) };
  },
  'POST /api/runs/:run/reconcile': async ({ params: { run } }, { site }) => ({
    run: await startReconcile(site, run),
  }),
  'POST /api/runs/:run/resume': async ({ params: { run } }, { site }) => ({
    run: await startResume(site, run),
  }),
};

async function orNoSuchRun<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw noSuchRun(error);
  }
}

/** A report in the format that the name ends with, or a file of rejects. @throws Refusal where there is no such file */
async function runFile(run: string, file: string, site: Site): Promise<Download> {
  if (site.settings.mask) throw hidden();
  const format = REPORT_FORMATS.find((one) => file === `report${FORMATS[one].ending}`);
  if (format !== undefined) return report(run, format, site);
  const { rejects } = await site.results.result(run);
  const path = rejects.find((one) => basename(one) === file);
  if (path === undefined) throw noFile();
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
  if (path === undefined) throw noRejects();
  const settings = await mendSource(run, site.settings.ledger);
  if (!settings) throw otherVersion();
  const mapping = await textOf(settings.mapping);
  const text = withSource(mapping, sourceFor(settings, mapping));
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

async function textOf(mapping: string): Promise<string> {
  try {
    return await readFile(mapping, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw noMapping();
    throw error;
  }
}

/** How the rejects are read where the command said it; their one sheet has its own name, and no number. */
function sourceFor({ source }: MendSource, mapping: string): ChosenSource {
  const { sheet } = source;
  const numbered = typeof sourceIn(mapping)?.sheet === 'number' ? { sheet: null } : {};
  const { encoding, delimiter } = source;
  return { ...numbered, ...defined({ sheet, encoding, delimiter }) };
}

/** The columns of the report's page, but for the uuid, which nobody reads. */
function shownRows(
  page: RunPage,
  offset: number,
  { mask, language }: { readonly mask: boolean; readonly language: Language },
): ResultRows {
  const run = reportedRun(page);
  const columns = reportColumns('page', run).filter(({ part }) => part !== 'uuid');
  const rows = (mask ? page.rows.map(maskedRow) : page.rows).map((row) =>
    rowInLanguage(row, language),
  );
  const cells = rows.map((row) =>
    columns.map(({ name, page: own, cell }) =>
      name === 'differences' ? differencesIn(row, language) : (own ?? cell)(row, run),
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

/** Without what the row's cells say; where the row stands, and why it ended as it did, remain. */
function maskedRow(row: RowReport): RowReport {
  const { identifiers, problems, remarks, inspection } = row;
  return {
    ...row,
    identifiers: identifiers.map((value) => (value === null ? null : masked(String(value)))),
    createResult: row.createResult && maskedWords(row.createResult),
    enqueueResult: row.enqueueResult && maskedWords(row.enqueueResult),
    changeResult: row.changeResult && maskedWords(row.changeResult),
    problems: problems.map(maskedProblem),
    ...(remarks ? { remarks: remarks.map(maskedProblem) } : {}),
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
  const ofProblem = (problem: Problem): Problem => ({
    ...problem,
    message: translated(problem.message),
  });
  const { createResult, enqueueResult, changeResult, problems, remarks, inspection } = row;
  return {
    ...row,
    createResult: createResult && translated(createResult),
    enqueueResult: enqueueResult && translated(enqueueResult),
    changeResult: changeResult && translated(changeResult),
    problems: problems.map(ofProblem),
    ...(remarks ? { remarks: remarks.map(ofProblem) } : {}),
    ...(inspection?.remark === undefined
      ? {}
      : { inspection: { ...inspection, remark: translated(inspection.remark) } }),
  };
}

/** A result as the page sees it. */
async function shownResult(found: RunResult, site: Site): Promise<Result> {
  const { run, index, next } = found;
  const { mask } = site.settings;
  const isUndoing = site.runs.isUndoing(run.run);
  const reasons = shownReasons(index.tally.reasons.list(), mask);
  const list = (await site.lists.all()).find((one) => one.run === run.run);
  return {
    run: run.run,
    list: list?.id ?? null,
    state: run.state,
    isHere: site.runs.isAtWork(run.run),
    isUndoing,
    mode: run.mode,
    next: {
      ...next,
      ...(isUndoing ? { kind: 'wait' as const } : {}),
      sentence: mask ? maskedNext(next.sentence, next.top) : next.sentence,
      more: mask ? maskedNext(next.more, next.top) : next.more,
      top: next.top && shownReason(next.top, mask),
    },
    inputs: found.files.map((input) => (list ? list.name : basename(input))),
    rejectsOf: await rejectsOf(found.files[0], site.settings),
    campaign: found.campaignName ?? run.campaignId?.toString() ?? null,
    sandbox: found.isSandbox,
    startedAt: new Date(run.createdAt).toISOString(),
    endedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
    rows: index.rows,
    outcomes: OUTCOMES.map((outcome) => ({ outcome, count: index.tally.outcomes[outcome] })).filter(
      ({ count }) => count > 0,
    ),
    waiting: index.waiting,
    reasons: reasons.slice(0, SHOWN),
    moreReasons: Math.max(0, reasons.length - SHOWN) + index.tally.reasons.unlisted,
    remarks: index.remarks.slice(0, SHOWN).map(({ column, code, message }, id) => ({
      ...{ id, column, code, message },
      rows: index.count({ remark: id }),
    })),
    facts: shownListFacts(
      index.tally.quality,
      found.listChecks,
      found.files.map((file) => basename(file)),
    ),
    reports: mask ? [] : reportsOf(run.run),
    rejects: mask ? [] : await Promise.all(found.rejects.map(fileOf)),
    about: found.about,
    undos: [...found.undos],
    checks: [...found.checks],
    ...possibleWork(found),
    command: commandLine(['report', run.run, '--open', ...ledgerWords(site.settings)]),
  };
}

/** What can be done with the run. */
function possibleWork({
  run: { mode, state },
  isTakenBack,
}: RunResult): Pick<Result, 'isTakenBack' | 'canResume' | 'canReconcile' | 'notUndoable'> {
  const isUnderWay = state === 'running';
  const notNow = isUnderWay ? 'it is under way' : isTakenBack ? 'it was taken back' : null;
  return {
    isTakenBack,
    canResume: !isUnderWay && !isTakenBack && state !== 'finished',
    canReconcile: !isUnderWay && mode !== 'undo' && mode !== 'reconcile',
    notUndoable: MODE_TRAITS[mode].notUndoable ?? notNow,
  };
}

/** Those of rows that did not end well come first: they are what the person is here for. */
function shownReasons(reasons: readonly Reason[], mask: boolean): ResultReason[] {
  const isGood = ({ outcome }: Reason): boolean => GOOD_OUTCOMES.has(outcome);
  return [...reasons.filter((one) => !isGood(one)), ...reasons.filter(isGood)].map((reason) =>
    shownReason(reason, mask),
  );
}

function shownReason(
  { id, outcome, column, code, message, rows, from }: Reason,
  mask: boolean,
): ResultReason {
  const shown = mask && from === 'contact center' ? maskedWords(message) : message;
  return { id, outcome, column, code, message: shown, rows };
}

async function fileOf(path: string): Promise<Result['rejects'][number]> {
  return { id: basename(path), name: basename(path), bytes: (await stat(path)).size };
}

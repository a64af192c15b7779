import { join, resolve } from 'node:path';
import type { Outcome } from '../core/outcome.js';
import type { Ledger } from '../ledger/port.js';
import {
  FORMATS,
  formatOfFile,
  type LineFormat,
  type ReportFormat,
  reportPieces,
  writeReportAs,
} from '../report/formats.js';
import {
  type ReportSource,
  type ChosenColumns,
  type RunTimeline,
  Timeline,
} from '../report/rows.js';
import { DEFAULT_LEDGER, outputPlace, absoluteLedger } from '../options/places.js';
import { reportedRows } from '../run/recorded.js';
import { recordedRun, haveTakenBack, piecesFrom, withLedger } from './runs.js';
import { lstatSync, type Stats } from 'node:fs';
import { UsageError, CardlineError } from '../core/errors.js';
import { OutputError } from '../report/files.js';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { RunRecord } from '../core/ledger.js';
import { openRegularFile } from '../files/regular-file.js';
import {
  readPlace,
  readSettingsForReport,
  runBehind,
  wasInSandbox,
  type ShownColumns,
} from '../run/settings.js';
import { syncFields } from '../installation/installation.js';
import { loadInstallation } from '../installation/installation.js';
import { holdErasure } from '../core/prepared.js';
import type { Row } from '../core/table.js';
import type { RowReport } from '../core/report.js';
import { InputRows } from '../prepare/inputs/seen.js';

export interface ReportRequest {
  readonly run: string;
  /** Outcomes, or verdicts of a comparison, of the rows to show; counts are of all rows in any case. @default all */
  readonly outcomes?: readonly Outcome[] | undefined;
  /** @default 'cardline.db' */
  readonly ledger?: string | undefined;
}

/**
 * The report of a run, finished or not, as pieces of text of some size. The ledger is read as they are taken; memory does
 * not grow with the rows. `format`: `csv`, `jsonl` or `text`.
 * @throws InputError when there is no ledger, UsageError when it does not have the run, LedgerError.
 */
export const reportLines = (
  request: ReportRequest & { readonly format: LineFormat },
): AsyncGenerator<string, void, undefined> =>
  piecesFrom(request.ledger ?? DEFAULT_LEDGER, async function* (ledger) {
    yield* reportPieces(request.format, await reportOf(ledger, request));
  });

/** A report that is written into a file. */
export interface ReportFileRequest extends ReportRequest {
  /** @default what the ending of `file` says; without `file`, csv */
  readonly format?: ReportFormat | undefined;
  /** Path of the file; its folder is made when it is missing. @default one in the run's folder */
  readonly file?: string | undefined;
  /** Whether `file` replaces what is there. @default false */
  readonly force?: boolean | undefined;
}

/**
 * Writes the report of a run, finished or not, into a file that appears whole or not at all, and resolves with its
 * absolute path. Memory does not grow with the rows.
 * @throws UsageError when the file's ending says no format, or the file is there and may not be replaced; OutputError when it cannot
 * be written; and as `reportLines` does.
 */
export async function writeReportFile(request: ReportFileRequest): Promise<string> {
  const { file, ledger: ledgerFile = DEFAULT_LEDGER } = request;
  // Whoever names a folder, or the ledger, gets that error first.
  if (file !== undefined) {
    outputFile(file, ledgerFile);
    outputPlace(file, request.force === true);
  }
  const format = request.format ?? (file === undefined ? 'csv' : formatOfFile(file));
  return withLedger(ledgerFile, async (ledger) => {
    const report = await reportOf(ledger, request);
    const part = report.only === null ? '' : `-${[...report.only].join('-')}`;
    // `report.csv` is the one that the run itself writes.
    const name = `report${part}${FORMATS[format].ending}`;
    const path = outputFile(file ?? join(report.run.out, name), ledgerFile);
    await writeReportAs(format, path, report);
    return path;
  });
}

async function reportOf(
  ledger: Ledger,
  { run: wanted, outcomes, ledger: file = DEFAULT_LEDGER }: ReportRequest,
): Promise<ReportSource> {
  const run = await recordedRun(ledger, file, wanted);
  const names = await namesOf(ledger, run);
  const rows = await ledger.rowsOf(run.run);
  const waiting = run.state === 'finished' ? {} : { waiting: await ledger.waitingOf(run.run) };
  return {
    run: { ...run, ...waiting },
    identifierNames: names,
    rows: reportedRows(run, rows),
    only: outcomes ? new Set(outcomes) : null,
    rowsAgain: () => rows,
    timeline: () => runTimeline(run),
    ...(await aboutRun(ledger, run.run)),
  };
}

/**
 * The absolute path of a file that may be written anew.
 * @throws UsageError when it is the ledger, or there and no ordinary file: replacing it would break something.
 * @throws OutputError when nobody can tell what is there
 */
function outputFile(path: string, ledger: string): string {
  const file = resolve(path);
  let found: Stats | undefined;
  try {
    found = lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new OutputError(file, error);
  }
  if (found?.isDirectory()) throw new UsageError(`${file} is a folder. Give the path of a file.`);
  if (found && !found.isFile())
    throw new UsageError(`${file} is no ordinary file, and is not replaced. Give another path.`);
  if (file === resolve(ledger))
    throw new UsageError(`${file} is the ledger itself, and is not replaced. Give another path.`);
  return file;
}

const line = { run: z.string(), time: z.iso.datetime() };
const answers = z.object({
  ...line,
  msg: z.literal('answers'),
  status: z.number(),
  answers: z.number(),
  milliseconds: z.number(),
  longest: z.number(),
  within: z.number(),
});
const limits = z.object({
  ...line,
  msg: z.literal('limits'),
  concurrency: z.number(),
  batchSize: z.number(),
  reason: z.string(),
});
const event = z.discriminatedUnion('msg', [answers, limits]);
const OF_INTEREST = /"msg":"(?:answers|limits)"/;

/** The answers of a run over time, from its log; `null` when there is no log, or no answer in it. */
async function runTimeline({ run, out }: RunRecord): Promise<RunTimeline | null> {
  const file = join(out, 'run.log');
  // Without a log that can be read, the report is written without what only the log knows.
  const handle = await openRegularFile(file).catch(() => null);
  if (!handle) return null;
  let timeline: Timeline | undefined;
  for await (const text of createInterface({
    input: handle.createReadStream(),
    crlfDelay: Infinity,
  })) {
    const read = OF_INTEREST.test(text) ? event.safeParse(parsed(text)).data : undefined;
    if (read?.run !== run) continue;
    const at = Date.parse(read.time);
    if (read.msg === 'answers') {
      timeline ??= new Timeline(at - read.within - read.longest);
      timeline.addSeveral({ ...read, at });
    } else timeline?.addChange({ ...read, at });
  }
  return timeline?.result() ?? null;
}

/** A line that a crash cut short is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the settings of a run say for its report. Those of an older version say less. */
export async function aboutRun(ledger: Ledger, run: string) {
  const kept = await ledger.settingsOf(run);
  const earlier = runBehind(kept);
  // The rows of an undo, or of the check of a run, are those of that run.
  const settings = readSettingsForReport(
    earlier === null ? kept : await ledger.settingsOf(earlier),
  );
  const shown = settings?.shown;
  const undos = (await ledger.undosOf([run])).get(run) ?? [];
  const isOwn = earlier === null && settings?.mode !== 'reconcile';
  return {
    ledger: absoluteLedger(ledger.file),
    campaignName: settings?.campaign?.name,
    weights: isOwn ? settings?.weights : undefined,
    leadPrice: isOwn ? settings?.leadPrice : undefined,
    observations: isOwn ? settings?.observations : undefined,
    isSandbox: wasInSandbox(kept),
    changedInputs: earlier === null ? settings?.changedInputs : undefined,
    isTakenBack: await haveTakenBack(ledger, undos),
    chosenColumns: () => (shown ? chosenColumns(shown) : null),
  } satisfies Partial<ReportSource>;
}

/**
 * Names of the synchronization identifiers of a run's rows, in their order. The run's record ends with them; only where one
 * of them holds a space, the installation file of the run is asked. Where that is gone, they are numbered. `count`: how many
 * a row has, `null` when there is no row. @default found out
 */
export async function namesOf(
  ledger: Ledger,
  run: RunRecord,
  count?: number | null,
): Promise<readonly string[]> {
  const [first] = count === undefined ? await ledger.rowsOf(run.run) : [];
  const all = count ?? first?.identifiers.length ?? null;
  const center = /(?: another address| https?:\/\/\S+) (.*)$/s.exec(run.installation);
  const words = center?.[1]?.split(' ');
  if (words && (all === null || words.length === all)) return words;
  const settings = await ledger.settingsOf(run.run);
  try {
    const { installation } = readPlace(run.run, settings);
    const configured = syncFields((await loadInstallation(installation)).card);
    if (configured.length === all) return configured;
  } catch (error) {
    // It may have been moved or changed since; the report does without.
    if (!(error instanceof CardlineError)) throw error;
  }
  return Array.from({ length: all ?? 0 }, (_, index) => `identifier ${index + 1}`);
}

type ShownInput = ShownColumns['inputs'][number];

/** The columns that the mapping of a run chooses for its report, read from the inputs once more. */
function chosenColumns({ names, inputs }: ShownColumns): ChosenColumns {
  let open: { readonly index: number; readonly rows: InputRows } | undefined;
  const rowOf = async (report: RowReport, input: ShownInput): Promise<Row | null> => {
    if (open?.index !== report.input) {
      await open?.rows.close();
      const { path, mark, source, ...opened } = input;
      const file = { path, name: path };
      open = { index: report.input, rows: new InputRows({ file, mark, source, input: opened }) };
    }
    return open.rows.find(report);
  };
  return {
    names,
    cells: async (report) => {
      // The file has an erased person still; the report is not to have it again.
      if (holdErasure(report.problems)) return null;
      const input = inputs[report.input];
      const row = input ? await rowOf(report, input) : null;
      return row && input ? input.columns.map((at) => row.cells[at] ?? null) : null;
    },
    close: async () => {
      await open?.rows.close();
    },
  };
}

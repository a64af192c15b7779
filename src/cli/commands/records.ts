import type { Erased, ErasedIn } from '../../history/history.js';
import { EXIT, UsageError } from '../../core/errors.js';
import { FORMATS, isLineFormat, type LineFormat, REPORT_FORMATS } from '../../report/formats.js';
import { defineCommand } from '../command.js';
import { countTexts } from '../progress.js';
import { ledgerNamed, ledgerOptions, flagOption, textOption } from '../options.js';
import { note, print, printData, printEither, printJson } from '../output/output.js';
import { type Outcome, OUTCOMES } from '../../core/outcome.js';
import {
  nearest,
  counted,
  whole,
  printableLine,
  shortenedInMiddle,
  wrapped,
} from '../../core/text.js';
import { runJson, installationText, SANDBOX, waitingText } from '../../report/summary.js';
import type { RunRecord } from '../../core/ledger.js';
import { duration } from '../../options/run-options.js';
import { basename } from 'node:path';
import { localTime } from '../../report/text/words.js';

const PRINT = { data: printData, json: printJson, text: print } as const satisfies Record<
  (typeof FORMATS)[LineFormat]['printedAs'],
  typeof print
>;

export const reportCommand = defineCommand({
  usage: 'report [run] [other]',
  describe: 'Report on a run, finished or not: why its rows ended as they did.',
  options: {
    format: textOption(
      "How it is written. Default: by the ending of --out's file, such as .xlsx; else text on a terminal, csv where the output goes elsewhere.",
      { choices: REPORT_FORMATS },
    ),
    outcome: textOption(
      'Show the rows of these outcomes alone, such as failed,unknown. Default: all.',
      { coerce: outcomeList },
    ),
    out: textOption(
      "File to write. Default: standard output for csv, jsonl and text; else a file in the run's folder.",
      { alias: ['o', 'output'] },
    ),
    force: flagOption('Replace the file of --out where it is there. Default: no.'),
    open: flagOption('Write the HTML report and open it in the browser. Default: no.'),
    compare: flagOption(
      'Compare two runs: which rows are new, gone or ended differently, matched by uuid. Default: no.',
    ),
    json: flagOption('With --compare: print JSON with every row that differs. Default: no.'),
    ...ledgerOptions,
  },
  places: { out: 'file', ledger: 'read ledger' },
  positionals: {
    run: {
      type: 'string',
      describe: 'Id of the run, as "cardline runs" lists it. Default: the latest.',
    },
    other: {
      type: 'string',
      describe: 'With --compare: id of the run to compare it with.',
    },
  },
  async run({ run, other, outcome: outcomes, out: file, force, ...args }, terminal) {
    const ledger = await ledgerNamed(args);
    const { stdout, columns } = terminal;
    if (args.compare) {
      if (run === undefined || other === undefined)
        throw new UsageError('"report --compare" needs the ids of two runs.');
      if (file ?? outcomes ?? args.format ?? args.open)
        throw new UsageError('--compare does not take --format, --outcome, --out or --open.');
      const { comparisonLines } = await import('../../history/history.js');
      const pair = { earlier: run, later: other, json: args.json ?? false, ledger, width: columns };
      const printLines = pair.json ? printJson : print;
      for await (const lines of comparisonLines(pair))
        if (!(await printLines(stdout, lines))) break;
      return EXIT.ok;
    }
    if (other !== undefined) throw new UsageError(`"report" does not take "${other}".`);
    if (args.json) throw new UsageError('--json is for --compare; write --format jsonl.');
    const { latestRunId, reportLines, writeReportFile } = await import('../../history/history.js');
    let about = run;
    if (about === undefined) {
      about = await latestRunId(ledger);
      // What is printed of it may not name it.
      note(terminal.stderr, `Run ${about}, the latest.`);
    }
    const request = { run: about, outcomes, ledger };
    if (args.open) {
      if (args.format !== undefined && args.format !== 'html')
        throw new UsageError(
          `--open shows the page that --format html writes, not ${args.format}.`,
        );
      const { openInBrowser } = await import('../output/open-in-browser.js');
      const page = await writeReportFile({ ...request, file, force, format: 'html' });
      // Where no browser opens, its path is of use all the same.
      await print(stdout, `${page}\n`);
      await openInBrowser(page, terminal.env);
      return EXIT.ok;
    }
    if (file === undefined) {
      const printed = args.format ?? (columns === undefined ? 'csv' : 'text');
      if (isLineFormat(printed)) {
        const printLines = PRINT[FORMATS[printed].printedAs];
        for await (const lines of reportLines({ ...request, format: printed }))
          if (!(await printLines(stdout, lines))) break;
        return EXIT.ok;
      }
    }
    const { format } = args;
    await print(stdout, `${await writeReportFile({ ...request, format, file, force })}\n`);
    return EXIT.ok;
  },
});

/** Reads outcomes with commas between them. @throws UsageError for one that there is not. */
function outcomeList(value: unknown): Outcome[] {
  const found = String(value)
    .split(',')
    .map((given) => {
      const word = given.trim();
      const outcome = OUTCOMES.find((one) => one === word.toLowerCase());
      if (outcome) return outcome;
      const near = nearest(word, OUTCOMES);
      throw new UsageError(
        `--outcome: there is no outcome "${word}".${near === undefined ? '' : ` Did you mean ${near}?`} There is: ${OUTCOMES.join(', ')}.`,
      );
    });
  return [...new Set(found)];
}

const ACTIONS = ['show', 'prune', 'erase'] as const;

const OTHERS =
  'What you saved elsewhere, the spreadsheets themselves and the contact center have the person still.';

const localTimeAgo = (time: number, now: number): string =>
  `${localTime(time)} (${ago(time, now)})`;

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

const stateText = ({ state, unread }: RunRecord): string =>
  unread === undefined ? state.replace('_', ' ') : 'not read';

const INDENT = '    ';

/** Narrower than this, the name of a file says nothing. */
const NARROWEST = 12;

export const runsCommand = defineCommand({
  usage: 'runs [action] [run]',
  describe: 'List the runs of a ledger, show one, see a trend, forget old ones, or erase a person.',
  options: {
    ...ledgerOptions,
    'older-than': {
      coerce: duration('older-than'),
      describe: 'With prune: forget finished runs that ended so long ago, such as 30d.',
    },
    reports: flagOption('With prune: their reports, rejects and logs go with them. Default: no.'),
    phone: textOption('With erase: the phone of the person, in international form.'),
    id: textOption('With erase: a synchronization identifier of the person, such as offerId=7.', {
      array: true,
    }),
    trend: textOption('Show how the rows of this mapping file ended from run to run.'),
    json: flagOption('Print JSON, not a table. Default: no.'),
  },
  places: { ledger: 'read ledger' },
  positionals: {
    action: { choices: ACTIONS, describe: 'What to do. Default: list all.' },
    run: {
      type: 'string',
      describe: 'Id of the run to show. Default: the latest.',
    },
  },
  async run(
    { action, run, olderThan, reports, phone, id, trend, json, ...args },
    { stdout, columns },
  ) {
    const ledger = await ledgerNamed(args);
    const history = await import('../../history/history.js');
    const show = (value: unknown, text: string) => printEither(stdout, json, value, text);
    if (trend !== undefined) {
      if (action !== undefined) throw new UsageError(`"runs ${action}" does not take --trend.`);
      const trends = await history.mappingTrend(trend, ledger);
      await show(trends, history.trendText(trend, trends, columns));
    } else if (action === 'erase') {
      const erased = await history.erasePerson({ phone, id: identifiersIn(id) }, ledger);
      await show(erased, erasedText(erased));
    } else if (action === 'prune') {
      if (olderThan === undefined)
        throw new UsageError('"runs prune" needs --older-than, such as --older-than 30d.');
      const forgotten = await history.pruneRuns(olderThan, ledger, { reports: reports === true });
      await show(forgotten, `${forgotten.length} runs are forgotten.\n`);
    } else if (action === 'show') {
      const found = await history.showRun(run ?? (await history.latestRunId(ledger)), ledger);
      await show(runJson(found), runDetails(found));
    } else {
      const runs = await history.listRuns(ledger);
      await show(runs.map(runJson), json ? '' : await runTable(runs, columns));
    }
    return EXIT.ok;
  },
});

/** `name=value` of each identifier. @throws UsageError */
function identifiersIn(written: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    written.map((text) => {
      const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
      if (name === undefined || value === undefined)
        throw new UsageError(`--id ${text}: write name and value, such as --id offerId=7.`);
      return [name, value];
    }),
  );
}

function erasedText({ runs, unreadable }: Erased): string {
  const left = unreadable.map((file) => `It cannot be read, and may have the person: ${file}`);
  if (runs.length === 0) return `${[...left, 'No run has the person.'].join('\n')}\n`;
  return `${[...runs.flatMap(runLines), ...left, OTHERS].join('\n')}\n`;
}

function runLines(erased: ErasedIn): string[] {
  const { run, count, rows, files, waiting, goesOn } = erased;
  const what = goesOn
    ? 'when the run goes on, it does so with what its files have of the person.'
    : 'nobody knows any more whose they were, so that the run leaves them: look whether the person is in the campaign still.';
  const open = `  ${counted(waiting, 'row has', 'rows have')} not come to the end: ${what}`;
  const places = rows.map(
    ({ file, sheet, row }) => `  ${file}${sheet ? `, ${sheet}` : ''}, row ${row}`,
  );
  const more = count > rows.length ? [`  and ${whole(count - rows.length)} more`] : [];
  return [
    `Run ${run}: ${counted(count, 'row')} erased.`,
    ...places,
    ...more,
    ...(waiting === 0 ? [] : [open]),
    ...files.map((file) => `  written anew or removed: ${file}`),
  ];
}

/** The runs as a table for a terminal, or as lines where that is too narrow for a table. Ids are never shortened. */
export async function runTable(
  runs: readonly RunRecord[],
  columns?: number,
  now = Date.now(),
): Promise<string> {
  if (runs.length === 0) return 'There are no runs.\n';
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    head: ['run', 'begun', 'mode', 'state', 'rows', 'outcomes', 'campaign', 'input'],
    style: { head: [], border: [] },
    colAligns: ['left', 'left', 'left', 'left', 'right'],
  });
  for (const run of runs)
    table.push([
      run.run,
      ago(run.createdAt, now),
      run.mode,
      stateText(run),
      whole(run.rows ?? 0),
      outcomesText(run),
      campaignText(run) ?? '',
      run.inputs.map(printableLine).join('\n'),
    ]);
  const text = table.toString();
  const isTooWide = columns !== undefined && (text.split('\n')[0]?.length ?? 0) > columns;
  return isTooWide ? runs.map((run) => linesOfRun(run, columns, now)).join('') : `${text}\n`;
}

function linesOfRun(run: RunRecord, columns: number, now: number): string {
  const begun = ago(run.createdAt, now);
  const facts = [run.run, begun, run.mode, stateText(run), `${whole(run.rows ?? 0)} rows`].join(
    '  ',
  );
  const inputs = run.inputs.map((input) => basename(printableLine(input))).join(', ');
  const campaign = campaignText(run);
  const more = [
    shortenedInMiddle(inputs, Math.max(NARROWEST, columns - INDENT.length)),
    outcomesText(run),
    ...(campaign === null ? [] : [`campaign ${campaign}`]),
  ];
  const second = more.filter((text) => text !== '').join('; ');
  return `${wrapped('', facts, columns)}\n${wrapped(INDENT, second, columns)}\n`;
}

/** One run, a line for each thing that is known of it. */
export function runDetails(run: RunRecord, now = Date.now()): string {
  const lines = [
    ['run', run.run],
    ['mode', run.mode],
    ['state', stateText(run)],
    ['begun', localTimeAgo(run.createdAt, now)],
    ['ended', run.endedAt === null ? '' : localTimeAgo(run.endedAt, now)],
    ...run.inputs.map((input) => ['input', input] as const),
    ['installation', installationText(run.installation, run.isSandbox === true)],
    ...(run.isSandbox === true ? [['sandbox', SANDBOX] as const] : []),
    ['campaign', campaignText(run) ?? 'none'],
    ['rows', whole(run.rows ?? 0)],
    ['outcomes', outcomesText(run)],
    ...(run.waiting?.rows ? [['waiting', waitingText(run.mode, run.waiting)] as const] : []),
    ['reports', run.out],
  ] as const;
  return lines.map(([label, text]) => `${label.padEnd(13)} ${printableLine(text)}\n`).join('');
}

function campaignText({ campaignId, campaignName }: RunRecord): string | null {
  if (campaignId === null) return null;
  return campaignName === undefined
    ? String(campaignId)
    : `${printableLine(campaignName)} (${campaignId})`;
}

function outcomesText({ outcomes, unread }: RunRecord): string {
  if (unread !== undefined) return printableLine(unread);
  return outcomes === null ? '' : countTexts(outcomes).join(', ');
}

/** How long ago a time was, in its largest unit: `2 h ago`. */
export function ago(time: number, now: number): string {
  const passed = now - time;
  const [size, unit] = UNITS.find(([milliseconds]) => passed >= milliseconds) ?? [0, ''];
  return size === 0 ? 'just now' : `${Math.floor(passed / size)} ${unit} ago`;
}

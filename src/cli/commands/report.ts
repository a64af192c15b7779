import type { ReportFileRequest } from '../../history/history.js';
import { EXIT, type ExitCode, UsageError } from '../../core/errors.js';
import { FORMATS, isLineFormat, type PrintedAs, REPORT_FORMATS } from '../../report/formats.js';
import { defineCommand } from '../command.js';
import { ledgerNamed, ledgerOptions } from '../options/run-flags.js';
import { flagOption, textOption } from '../options/options.js';
import { note, print, printData, printJson, type Terminal } from '../output/output.js';
import { type Outcome, OUTCOMES } from '../../core/outcome.js';
import { nearest } from '../../config/nearest.js';

const options = {
  format: {
    ...textOption(
      "How it is written. Default: by the ending of --out's file, such as .xlsx; else text on a terminal, csv where the output goes elsewhere.",
    ),
    choices: REPORT_FORMATS,
  },
  outcome: {
    ...textOption('Show the rows of these outcomes alone, such as failed,unknown. Default: all.'),
    coerce: outcomeList,
  },
  out: {
    ...textOption(
      "File to write. Default: standard output for csv, jsonl and text; else a file in the run's folder.",
    ),
    alias: ['o', 'output'],
  },
  force: flagOption('Replace the file of --out where it is there. Default: no.'),
  open: flagOption('Write the HTML report and open it in the browser. Default: no.'),
  compare: flagOption(
    'Compare two runs: which rows are new, gone or ended differently, matched by uuid. Default: no.',
  ),
  json: flagOption('With --compare: print JSON with every row that differs. Default: no.'),
  ...ledgerOptions,
} as const;

const PRINT = { data: printData, json: printJson, text: print } as const satisfies Record<
  PrintedAs,
  typeof print
>;

export const reportCommand = defineCommand({
  usage: 'report [run] [other]',
  describe: 'Report on a run, finished or not: why its rows ended as they did.',
  options,
  examples: [
    ['$0 report', 'What became of the rows of the latest run, and why.'],
    ['$0 report --open', 'The same as a page in the browser.'],
    ['$0 report 20261120-174500-1f3a', 'What became of the rows, and why.'],
    ['$0 report 20261120-174500-1f3a --format csv --outcome failed,unknown', 'Some rows.'],
    ['$0 report 20261120-174500-1f3a -o report.html', 'A page to look at and to print.'],
    ['$0 report --compare 20261119-174500-77aa 20261120-174500-1f3a', 'What has changed.'],
  ],
  places: { out: 'file', ledger: 'read ledger' },
  build: (parser) =>
    parser
      .positional('run', {
        type: 'string',
        describe: 'Id of the run, as "cardline runs" lists it. Default: the latest.',
      })
      .positional('other', {
        type: 'string',
        describe: 'With --compare: id of the run to compare it with.',
      })
      .options(options),
  async run({ run, other, outcome: outcomes, out: file, force, ...args }, terminal) {
    const ledger = await ledgerNamed(args);
    const { stdout, columns } = terminal;
    if (args.compare) {
      if (run === undefined || other === undefined)
        throw new UsageError('"report --compare" needs the ids of two runs.');
      if (file ?? outcomes ?? args.format ?? args.open)
        throw new UsageError('--compare does not take --format, --outcome, --out or --open.');
      const { comparisonLines } = await import('../../history/history.js');
      const { columns: width } = terminal;
      const pair = { earlier: run, later: other, json: args.json ?? false, ledger, width };
      const printLines = pair.json ? printJson : print;
      for await (const lines of comparisonLines(pair))
        if (!(await printLines(stdout, lines))) break;
      return EXIT.ok;
    }
    if (other !== undefined) throw new UsageError(`"report" does not take "${other}".`);
    if (args.json) throw new UsageError('--json is for --compare; write --format jsonl.');
    const { reportLines, writeReportFile } = await import('../../history/history.js');
    const request = { run: run ?? (await latestRun(ledger, terminal)), outcomes, ledger };
    if (args.open) return openReport({ ...request, file, force }, args.format, terminal);
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

/** The latest run of the ledger, which is named: what is printed of it may not do so. */
async function latestRun(ledger: string | undefined, { stderr }: Terminal): Promise<string> {
  const { latestRunId } = await import('../../history/history.js');
  const run = await latestRunId(ledger);
  note(stderr, `Run ${run}, the latest.`);
  return run;
}

/** Writes the page first: where no browser opens, its path is of use all the same. */
async function openReport(
  request: ReportFileRequest,
  format: string | undefined,
  { stdout, env }: Terminal,
): Promise<ExitCode> {
  if (format !== undefined && format !== 'html')
    throw new UsageError(`--open shows the page that --format html writes, not ${format}.`);
  const { writeReportFile } = await import('../../history/history.js');
  const { openInBrowser } = await import('../output/open-in-browser.js');
  const page = await writeReportFile({ ...request, format: 'html' });
  await print(stdout, `${page}\n`);
  await openInBrowser(page, env);
  return EXIT.ok;
}

/** Reads outcomes with commas between them. @throws UsageError for one that there is not. */
function outcomeList(value: unknown): Outcome[] {
  return [
    ...new Set(
      String(value)
        .split(',')
        .map((word) => outcomeNamed(word.trim())),
    ),
  ];
}

function outcomeNamed(word: string): Outcome {
  const found = OUTCOMES.find((outcome) => outcome === word.toLowerCase());
  if (found) return found;
  const near = nearest(word, OUTCOMES);
  throw new UsageError(
    `--outcome: there is no outcome "${word}".${near === undefined ? '' : ` Did you mean ${near}?`} There is: ${OUTCOMES.join(', ')}.`,
  );
}

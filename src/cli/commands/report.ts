import { EXIT, UsageError } from '../../core/errors.js';
import { FORMATS, isLineFormat, type PrintedAs, REPORT_FORMATS } from '../../report/formats.js';
import { defineCommand } from '../command.js';
import { ledgerNamed, ledgerOptions } from '../ledger-option.js';
import { flagOption, textOption } from '../options.js';
import { outcomeList } from '../output/outcome-list.js';
import { print, printData, printJson } from '../output/output.js';

const options = {
  format: {
    ...textOption(
      "How it is written. Default: by the ending of --output's file, such as .xlsx; else text on a terminal, csv where the output goes elsewhere.",
    ),
    choices: REPORT_FORMATS,
  },
  outcome: {
    ...textOption('Show the rows of these outcomes alone, such as failed,unknown. Default: all.'),
    coerce: outcomeList,
  },
  output: {
    ...textOption(
      "File to write. Default: standard output for csv, jsonl and text; else a file in the run's folder.",
    ),
    alias: 'o',
  },
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
  usage: 'report <run> [other]',
  describe: 'Report on a run, finished or not: why its rows ended as they did.',
  options,
  examples: [
    ['$0 report 20261120-174500-1f3a', 'What became of the rows, and why.'],
    ['$0 report 20261120-174500-1f3a --format csv --outcome failed,unknown', 'Some rows.'],
    ['$0 report 20261120-174500-1f3a -o report.html', 'A page to look at and to print.'],
    ['$0 report --compare 20261119-174500-77aa 20261120-174500-1f3a', 'What has changed.'],
  ],
  build: (parser) =>
    parser
      .positional('run', {
        type: 'string',
        demandOption: true,
        describe: 'Id of the run, as "cardline runs" lists it.',
      })
      .positional('other', {
        type: 'string',
        describe: 'With --compare: id of the run to compare it with.',
      })
      .options(options),
  async run({ run, other, outcome: outcomes, output: file, ...args }, terminal) {
    const ledger = await ledgerNamed(args);
    const { stdout, columns } = terminal;
    if (args.compare) {
      if (other === undefined)
        throw new UsageError('"report --compare" needs the ids of two runs.');
      if (file ?? outcomes ?? args.format)
        throw new UsageError('--compare does not take --format, --outcome or --output.');
      const { comparisonLines } = await import('../../app/runs/compare-runs.js');
      const pair = { earlier: run, later: other, json: args.json ?? false, ledger };
      const printLines = pair.json ? printJson : print;
      for await (const lines of comparisonLines(pair))
        if (!(await printLines(stdout, lines))) break;
      return EXIT.ok;
    }
    if (other !== undefined) throw new UsageError(`"report" does not take "${other}".`);
    if (args.json) throw new UsageError('--json is for --compare; write --format jsonl.');
    const { reportLines, writeReportFile } = await import('../../app/runs/report.js');
    const request = { run, outcomes, ledger };
    if (file === undefined) {
      const format = args.format ?? (columns === undefined ? 'csv' : 'text');
      if (isLineFormat(format)) {
        const printLines = PRINT[FORMATS[format].printedAs];
        for await (const lines of reportLines({ ...request, format }))
          if (!(await printLines(stdout, lines))) break;
        return EXIT.ok;
      }
    }
    await print(stdout, `${await writeReportFile({ ...request, format: args.format, file })}\n`);
    return EXIT.ok;
  },
});

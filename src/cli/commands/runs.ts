import { runJson } from '../../report/run-facts.js';
import type { RunRecord } from '../../core/ledger.js';
import { EXIT, UsageError } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { duration } from '../../app/options/readers/duration.js';
import { ledgerNamed, ledgerOptions } from '../options/ledger-option.js';
import { flagOption, textOption } from '../options/options.js';
import { print, printJson } from '../output/output.js';
import { erasedText } from '../output/erased-text.js';
import { runDetails, runTable } from '../output/runs-text.js';

const ACTIONS = ['show', 'prune', 'erase'] as const;

const options = {
  ...ledgerOptions,
  'older-than': {
    coerce: duration('older-than'),
    describe: 'With prune: forget finished runs that ended so long ago, such as 30d.',
  },
  reports: flagOption('With prune: their reports, rejects and logs go with them. Default: no.'),
  phone: textOption('With erase: the phone of the person, in international form.'),
  id: {
    ...textOption('With erase: a synchronization identifier of the person, such as offerId=7.'),
    array: true,
  },
  trend: textOption('Show how the rows of this mapping file ended from run to run.'),
  json: flagOption('Print JSON, not a table. Default: no.'),
} as const;

export const runsCommand = defineCommand({
  usage: 'runs [action] [run]',
  describe: 'List the runs of a ledger, show one, see a trend, forget old ones, or erase a person.',
  options,
  examples: [
    ['$0 runs', 'Every run with its state and its counts.'],
    ['$0 runs show', 'The latest run.'],
    ['$0 runs show 20261120-174500-1f3a', 'One run.'],
    ['$0 runs --trend leads.yaml', 'Whether the files of a mapping get better or worse.'],
    [
      '$0 runs prune --older-than 30d',
      'Forget finished runs; their reports stay. An import of their files creates their clients again.',
    ],
    ['$0 runs erase --id offerId=7', 'Remove a person from the ledger, reports and rejects.'],
  ],
  places: { ledger: 'read ledger' },
  build: (parser) =>
    parser
      .positional('action', { choices: ACTIONS, describe: 'What to do. Default: list all.' })
      .positional('run', {
        type: 'string',
        describe: 'Id of the run to show. Default: the latest.',
      })
      .options(options),
  async run(
    { action, run, olderThan, reports, phone, id, trend, json, ...args },
    { stdout, columns },
  ) {
    const ledger = await ledgerNamed(args);
    if (trend !== undefined) {
      if (action !== undefined) throw new UsageError(`"runs ${action}" does not take --trend.`);
      const { mappingTrend } = await import('../../app/runs/run-trend.js');
      const { trendText } = await import('../../report/compare/trend-text.js');
      const trends = await mappingTrend(trend, ledger);
      if (json) await printJson(stdout, asJson(trends));
      else await print(stdout, trendText(trend, trends, columns));
      return EXIT.ok;
    }
    if (action === 'erase') {
      const { erasePerson } = await import('../../app/erase/erase-person.js');
      const erased = await erasePerson({ phone, id: identifiersIn(id) }, ledger);
      if (json) await printJson(stdout, asJson(erased));
      else await print(stdout, erasedText(erased));
      return EXIT.ok;
    }
    const app = await import('../../app/runs/runs.js');
    if (action === 'prune') {
      if (olderThan === undefined)
        throw new UsageError('"runs prune" needs --older-than, such as --older-than 30d.');
      const forgotten = await app.pruneRuns(olderThan, ledger, { reports: reports === true });
      if (json) await printJson(stdout, asJson(forgotten));
      else await print(stdout, `${forgotten.length} runs are forgotten.\n`);
    } else if (action === 'show') {
      const found = await app.showRun(run ?? (await app.latestRunId(ledger)), ledger);
      if (json) await printJson(stdout, asJson(runJson(found)));
      else await print(stdout, runDetails(found));
    } else {
      const runs: RunRecord[] = await app.listRuns(ledger);
      if (json) await printJson(stdout, asJson(runs.map(runJson)));
      else await print(stdout, await runTable(runs, columns));
    }
    return EXIT.ok;
  },
});

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

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

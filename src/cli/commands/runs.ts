import { runJson, installationText, SANDBOX, waitingText } from '../../report/summary.js';
import type { RunRecord } from '../../core/ledger.js';
import { EXIT, UsageError } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { duration } from '../../options/option.js';
import { ledgerNamed, ledgerOptions } from '../options/run-flags.js';
import { flagOption, textOption } from '../options/options.js';
import { print, printJson } from '../output/output.js';
import type { Erased, ErasedIn } from '../../history/history.js';
import { whole, printableLine, shortenedInMiddle, wrapped } from '../../core/text.js';
import { basename } from 'node:path';
import { OUTCOMES } from '../../core/outcome.js';
import { localTime } from '../../report/text/words.js';

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

const OTHERS =
  'What you saved elsewhere, the spreadsheets themselves and the contact center have the person still.';

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A time as clocks show it here, and how long ago that was. */
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
      const { mappingTrend } = await import('../../history/history.js');
      const { trendText } = await import('../../report/trend-text.js');
      const trends = await mappingTrend(trend, ledger);
      if (json) await printJson(stdout, asJson(trends));
      else await print(stdout, trendText(trend, trends, columns));
      return EXIT.ok;
    }
    if (action === 'erase') {
      const { erasePerson } = await import('../../history/history.js');
      const erased = await erasePerson({ phone, id: identifiersIn(id) }, ledger);
      if (json) await printJson(stdout, asJson(erased));
      else await print(stdout, erasedText(erased));
      return EXIT.ok;
    }
    const app = await import('../../history/history.js');
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

/** Where a person was, for the person who erased it. */
function erasedText({ runs, unreadable }: Erased): string {
  const left = unreadable.map((file) => `It cannot be read, and may have the person: ${file}`);
  if (runs.length === 0) return `${[...left, 'No run has the person.'].join('\n')}\n`;
  return `${[...runs.flatMap(runLines), ...left, OTHERS].join('\n')}\n`;
}

/** What becomes of rows of the person that a run has not done with. */
function waitingLines({ waiting, goesOn }: ErasedIn): string[] {
  if (waiting === 0) return [];
  const [rows, have] = waiting === 1 ? ['row', 'has'] : ['rows', 'have'];
  const what = goesOn
    ? 'when the run goes on, it does so with what its files have of the person.'
    : 'nobody knows any more whose they were, so that the run leaves them: look whether the person is in the campaign still.';
  return [`  ${whole(waiting)} ${rows} ${have} not come to the end: ${what}`];
}

function runLines(erased: ErasedIn): string[] {
  const { run, count, rows, files } = erased;
  const places = rows.map(
    ({ file, sheet, row }) => `  ${file}${sheet ? `, ${sheet}` : ''}, row ${row}`,
  );
  const more = count > rows.length ? [`  and ${whole(count - rows.length)} more`] : [];
  return [
    `Run ${run}: ${whole(count)} ${count === 1 ? 'row' : 'rows'} erased.`,
    ...places,
    ...more,
    ...waitingLines(erased),
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

/** A run in two lines. */
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

/** Its name where it is known, and its id. */
function campaignText({ campaignId, campaignName }: RunRecord): string | null {
  if (campaignId === null) return null;
  return campaignName === undefined
    ? String(campaignId)
    : `${printableLine(campaignName)} (${campaignId})`;
}

function outcomesText({ outcomes, unread }: RunRecord): string {
  if (unread !== undefined) return printableLine(unread);
  if (outcomes === null) return '';
  return OUTCOMES.filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${outcome} ${whole(outcomes[outcome])}`)
    .join(', ');
}

/** How long ago a time was, in its largest unit: `2 h ago`. */
export function ago(time: number, now: number): string {
  const passed = now - time;
  const [size, unit] = UNITS.find(([milliseconds]) => passed >= milliseconds) ?? [0, ''];
  return size === 0 ? 'just now' : `${Math.floor(passed / size)} ${unit} ago`;
}

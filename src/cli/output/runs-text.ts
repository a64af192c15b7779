import { basename } from 'node:path';
import type { RunRecord } from '../../core/ledger.js';
import { OUTCOMES } from '../../core/outcome.js';
import { printableLine, whole, shortenedInMiddle, wrapped } from '../../core/text.js';
import { installationText, SANDBOX, waitingText } from '../../report/run-facts.js';
import { ago, localTimeAgo } from './ago.js';

/** Narrower than this, the name of a file says nothing. */
const NARROWEST = 12;
const INDENT = '    ';

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
  return isTooWide ? runs.map((run) => runLines(run, columns, now)).join('') : `${text}\n`;
}

/** A run in two lines. */
function runLines(run: RunRecord, columns: number, now: number): string {
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

const stateText = ({ state, unread }: RunRecord): string =>
  unread === undefined ? state.replace('_', ' ') : 'not read';

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

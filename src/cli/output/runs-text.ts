import type { RunRecord } from '../../core/ledger.js';
import { OUTCOMES } from '../../core/outcome.js';
import { printableLine } from '../../core/text/printable.js';
import { whole } from '../../core/text/whole.js';
import { waitingText } from '../../report/run-facts.js';

/** The runs as a table for a terminal. */
export async function runTable(runs: readonly RunRecord[]): Promise<string> {
  if (runs.length === 0) return 'There are no runs.\n';
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    head: ['run', 'mode', 'state', 'rows', 'outcomes', 'campaign', 'input'],
    style: { head: [], border: [] },
    colAligns: ['left', 'left', 'left', 'right'],
  });
  for (const run of runs)
    table.push([
      run.run,
      run.mode,
      stateText(run),
      whole(run.rows ?? 0),
      outcomesText(run),
      run.campaignId === null ? '' : String(run.campaignId),
      run.inputs.map(printableLine).join('\n'),
    ]);
  return `${table.toString()}\n`;
}

/** One run, a line for each thing that is known of it. */
export function runDetails(run: RunRecord): string {
  const lines = [
    ['run', run.run],
    ['mode', run.mode],
    ['state', stateText(run)],
    ['begun', new Date(run.createdAt).toISOString()],
    ['ended', run.endedAt === null ? '' : new Date(run.endedAt).toISOString()],
    ...run.inputs.map((input) => ['input', input] as const),
    ['installation', run.installation],
    ['campaign', run.campaignId === null ? 'none' : String(run.campaignId)],
    ['rows', whole(run.rows ?? 0)],
    ['outcomes', outcomesText(run)],
    ...(run.waiting?.rows ? [['waiting', waitingText(run.waiting)] as const] : []),
    ['reports', run.out],
  ] as const;
  return lines.map(([label, text]) => `${label.padEnd(13)} ${printableLine(text)}\n`).join('');
}

const stateText = ({ state }: RunRecord): string => state.replace('_', ' ');

function outcomesText({ outcomes }: RunRecord): string {
  if (outcomes === null) return '';
  return OUTCOMES.filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${outcome} ${whole(outcomes[outcome])}`)
    .join(', ');
}

import type { RunRecord } from '../core/ledger.js';
import { whole } from '../core/text/whole.js';
import type { RunReport } from './run-report.js';

const STATES: Record<RunRecord['state'], string> = {
  finished: 'finished',
  open: 'all is sent; of some rows the outcome is unknown, and "cardline resume" asks again',
  stopped: 'stopped; rows that are yet to be sent are not counted, and "cardline resume" goes on',
  running: 'under way; rows that are yet to be sent are not counted',
  broken_off: 'broken off; rows that are yet to be sent are not counted, "cardline resume" goes on',
};

/** What is known of a run apart from its rows, as labels and texts. */
export function runFacts({
  run,
  only,
}: Pick<RunReport, 'run' | 'only'>): (readonly [label: string, text: string])[] {
  return [
    ['run', run.run],
    ['mode', run.mode],
    ['state', STATES[run.state]],
    ['begun', time(run.createdAt)],
    ...(run.endedAt === null ? [] : [['ended', time(run.endedAt)] as const]),
    ...run.inputs.map((input) => ['input', input] as const),
    ['installation', run.installation],
    ['campaign', run.campaignId === null ? 'none' : String(run.campaignId)],
    ...(run.waiting?.rows ? [['waiting', waitingText(run.waiting)] as const] : []),
    ...(only === null ? [] : [['rows shown', `outcome ${[...only].join(', ')}`] as const]),
  ];
}

/** What a run has yet to do. */
export const waitingText = ({ rows, withCard }: NonNullable<RunRecord['waiting']>): string =>
  `${whole(rows)} rows are yet to be sent${withCard === 0 ? '' : `; ${whole(withCard)} of them have a card already`}`;

/** ISO 8601 in UTC, to the second. */
const time = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');

import { REPORT_VERSION } from './summary.js';
import { changedText } from '../core/report.js';
import type { RunRecord } from '../core/ledger.js';
import type { RunMode } from '../core/mode.js';
import { whole } from '../core/text.js';
import { durationText, localTime } from './text/local-time.js';
import type { RunReport } from './run-report.js';
import { deedOf, waitingSentence } from './text/next-step.js';

/** What a state means, for the person. */
export function stateText({ state, mode }: Pick<RunRecord, 'state' | 'mode'>): string {
  const deed = deedOf(mode);
  const uncounted = `rows that are yet to be ${deed} are not counted`;
  switch (state) {
    case 'finished':
      return 'finished';
    case 'open':
      return `all is ${deed}; of some rows the outcome is unknown, and "cardline resume" asks again`;
    case 'stopped':
      return `stopped; ${uncounted}, and "cardline resume" goes on`;
    case 'running':
      return `under way; ${uncounted}`;
    case 'broken_off':
      return `broken off; ${uncounted}, "cardline resume" goes on`;
  }
}

/** What a run in a sandbox has done. */
export const SANDBOX = 'yes; no real contact center was changed';

/** What is known of a run apart from its rows, as labels and texts. */
export function runFacts({
  run,
  only,
  campaignName,
  isSandbox = false,
  isTakenBack = false,
  changedInputs = [],
}: Omit<RunReport, 'rows' | 'identifierNames'>): (readonly [label: string, text: string])[] {
  return [
    ['run', run.run],
    ['mode', run.mode],
    ['state', run.unread === undefined ? stateText(run) : `not read: ${run.unread}`],
    ...(isTakenBack ? [['taken back', 'yes; an undo of it has come to its end'] as const] : []),
    ['begun', localTime(run.createdAt)],
    ...(run.endedAt === null ? [] : endFacts(run.createdAt, run.endedAt)),
    ...run.inputs.map((input) => ['input', input] as const),
    ...changedInputs.map((input) => ['changed', changedText(input, run.mode)] as const),
    ['installation', installationText(run.installation, isSandbox)],
    ...(isSandbox ? [['sandbox', SANDBOX] as const] : []),
    ['campaign', campaignText(run.campaignId, campaignName)],
    ...(run.waiting?.rows ? [['waiting', waitingText(run.mode, run.waiting)] as const] : []),
    ...(only === null ? [] : [['rows shown', `outcome ${[...only].join(', ')}`] as const]),
  ];
}

/** What a run has yet to do. */
export const waitingText = (
  mode: RunMode,
  { rows, withCard }: NonNullable<RunRecord['waiting']>,
): string =>
  `${waitingSentence(rows, mode)}${withCard === 0 ? '' : `; ${whole(withCard)} of them ${withCard === 1 ? 'has' : 'have'} a card already`}`;

const endFacts = (begun: number, ended: number) =>
  [
    ['ended', localTime(ended)],
    ['duration', durationText(ended - begun)],
  ] as const;

/** In place of an address that changes each time, such as that of a sandbox. */
const ELSEWHERE = 'another address';

/** A run on record as JSON: times in ISO 8601, and the installation in its parts. */
export const runJson = <Run extends RunRecord>(run: Run) => ({
  version: REPORT_VERSION,
  ...run,
  installation: installationParts(run.installation),
  createdAt: new Date(run.createdAt).toISOString(),
  endedAt: run.endedAt === null ? null : new Date(run.endedAt).toISOString(),
});

/** The ledger keeps name, address and synchronization identifiers as one text. */
function installationParts(installation: string) {
  const parts = /^(.*) (another address|https?:\/\/\S+) (.*)$/s.exec(installation);
  const [, name = installation, address = null, identifiers = ''] = parts ?? [];
  return { name, address, identifiers: identifiers === '' ? [] : identifiers.split(' ') };
}

export function installationText(installation: string, isSandbox: boolean): string {
  const { name, address, identifiers } = installationParts(installation);
  if (address === null) return installation;
  const other = isSandbox ? 'played by a sandbox' : `at ${ELSEWHERE} than its own`;
  const place = address === ELSEWHERE ? other : `at ${address}`;
  return `${name} ${place}, clients identified by ${identifiers.join(', ')}`;
}

function campaignText(id: number | null, name: string | undefined): string {
  if (id === null) return 'none';
  return name === undefined ? String(id) : `${id} "${name}"`;
}

import type { FleetState } from '../../run/shared.js';
import { whole } from '../../core/text.js';

type FleetWorker = FleetState['workers'][number];
type FleetRun = FleetState['runs'][number];
type FleetPiece = FleetState['pieces'][number];

type Line = readonly string[];

/** Who works on which runs, as a person reads it. */
export function fleetText({ workers, runs, pieces }: FleetState): string {
  return [
    table(['worker', 'version', 'pieces', 'works for', 'seen'], workers.map(workerLine)),
    table(['run', 'pieces', 'ended', 'rows', 'done', 'state'], runs.map(runLine)),
    table(['piece', 'rows', 'done', 'worker', 'lease'], pieces.map(pieceLine)),
  ].join('\n');
}

const seconds = (count: number): string => `${Math.max(0, Math.round(count))} s`;

const workerLine = ({ pid, host, version, maxPieces, ...worker }: FleetWorker): Line => [
  `${pid} on ${host}`,
  version,
  `up to ${maxPieces}`,
  worker.only ?? worker.installations?.join(', ') ?? 'all',
  `${seconds(worker.secondsAgo)} ago`,
];

const runLine = ({ run, pieces, isWhole, ended, rows, outcomes, stopped }: FleetRun): Line => [
  run,
  isWhole ? whole(pieces) : `${whole(pieces)} so far`,
  whole(ended),
  whole(rows),
  whole(Object.values(outcomes).reduce((sum, count) => sum + count, 0)),
  stopped === null ? 'goes on' : STOPPED[stopped],
];

const STOPPED = {
  canary: 'stopped: the canary did not pass',
  failures: 'stopped: too many rows failed',
} as const satisfies Record<NonNullable<FleetRun['stopped']>, string>;

const pieceLine = ({ run, number, rows, ended, worker, secondsLeft }: FleetPiece): Line => [
  `${number} of ${run}`,
  whole(rows),
  whole(ended),
  worker,
  seconds(secondsLeft),
];

function table(head: Line, lines: readonly Line[]): string {
  if (lines.length === 0) return `No ${head[0] ?? ''}s.\n`;
  const all = [head, ...lines];
  const widths = head.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0)));
  const text = (line: Line): string =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return `${all.map(text).join('\n')}\n`;
}

import type { Measured } from './measured.js';
import type { Verdicts } from './judge.js';

const COMMANDS = ['rows', 'check', 'import'] as const;
/** How many of the worst files are named. */
const WORST = 3;

/** What the commands took for one file. */
export const lineOf = (name: string, verdicts: Verdicts): string =>
  [name, ...COMMANDS.map((command) => figures(command, verdicts[command]))].join('; ');

const figures = (command: string, { code, cpuSeconds, wallSeconds, megabytes }: Measured): string =>
  `${command} ${code}, CPU ${cpuSeconds.toFixed(1)} s, ${wallSeconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB`;

/** What the commands took at most, and for which files. */
export function tableOf(all: ReadonlyMap<string, Verdicts>): string {
  return COMMANDS.map((command) => {
    const runs = [...all].map(([name, verdicts]) => ({ name, run: verdicts[command] }));
    const codes = new Map<number | null, number>();
    for (const { run } of runs) codes.set(run.code, (codes.get(run.code) ?? 0) + 1);
    const most = (figure: (run: Measured) => number): string => {
      const sorted = runs.toSorted((a, b) => figure(b.run) - figure(a.run)).slice(0, WORST);
      return sorted.map(({ name, run }) => `${figure(run).toFixed(1)} (${name})`).join(', ');
    };
    return [
      `${command}: ${runs.length} files; codes ${[...codes].map(([code, count]) => `${code}: ${count}`).join(', ')}`,
      `  CPU seconds  ${most(({ cpuSeconds }) => cpuSeconds)}`,
      `  wall seconds ${most(({ wallSeconds }) => wallSeconds)}`,
      `  megabytes    ${most(({ megabytes }) => megabytes)}`,
    ].join('\n');
  }).join('\n');
}

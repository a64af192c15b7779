import type { Progress } from '../core/report.js';
import { note, type Terminal } from './output/output.js';
import type { Writable } from 'node:stream';
import { type OutcomeCounts, occurring } from '../core/outcome.js';
import { counted, whole } from '../core/text.js';

const LINE_EVERY_MS = 10_000;

/** A bar on a terminal; elsewhere one plain line every 10 seconds; nothing at all when `quiet`. */
export async function startProgress(
  { stderr, interactive }: Terminal,
  quiet: boolean,
): Promise<ProgressReporter> {
  if (quiet) return { update: () => undefined, note: () => undefined, stop: () => undefined };
  if (interactive) return startProgressBar(stderr);
  let last: Progress | undefined;
  const timer = setInterval(() => {
    if (last) note(stderr, `${percent(last.share)} %: ${progressText(last)}`);
  }, LINE_EVERY_MS);
  timer.unref();
  return {
    update: (progress) => (last = progress),
    note: (text) => note(stderr, text),
    stop: () => clearInterval(timer),
  };
}

const BAR_WIDTH = 20;
const STARTING = { text: 'starting' };

/** A bar with rows, rate, counts and the time left, drawn at most ten times a second. */
async function startProgressBar(stderr: Writable): Promise<ProgressReporter> {
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: '[{bar}] {percentage} % {text}',
    barsize: BAR_WIDTH,
    stream: stderr,
    clearOnComplete: true,
    // Signals are handled in one place only, which stops the bar too.
    gracefulExit: false,
  });
  let shown: readonly [value: number, payload: { text: string }] = [0, STARTING];
  const draw = (): void => bar.start(100, ...shown);
  draw();
  // A process that ends at once must not leave the terminal without its line wrapping.
  const restore = (): void => bar.stop();
  process.once('exit', restore);
  return {
    update: (progress) => {
      shown = [percent(progress.share), { text: progressText(progress) }];
      bar.update(...shown);
    },
    note: (text) => {
      bar.stop();
      note(stderr, text);
      draw();
    },
    stop: () => {
      process.off('exit', restore);
      bar.stop();
    },
  };
}

/** Where a run stands, in one line without any personal data. */
export function progressText({ rows, seconds, outcomes, share }: Progress): string {
  const rate = seconds > 0 ? Math.round(rows / seconds) : 0;
  // The share of the input that has been read: as long as it is small, it says little of the time that is left.
  const isKnown = share >= 0.01 && share < 1 && seconds >= 1;
  const left = isKnown ? [`${duration((seconds * (1 - share)) / share)} left`] : [];
  return [counted(rows, 'row'), `${whole(rate)} rows/s`, ...countTexts(outcomes), ...left].join(
    ', ',
  );
}

/** How many rows ended in each way, those that there are. */
export const countTexts = (outcomes: OutcomeCounts): string[] =>
  occurring(outcomes).map(([outcome, count]) => `${outcome} ${whole(count)}`);

/** Seconds as `M:SS` or `H:MM:SS`. */
export function duration(seconds: number): string {
  const all = Math.round(seconds);
  const [h, m, s] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const two = (part: number): string => String(part).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Share from 0 to 1 as whole percent; 100 only when all is done. */
export const percent = (share: number): number => Math.floor(Math.min(Math.max(share, 0), 1) * 100);

/** Shows the person where the work stands, on stderr. */
export interface ProgressReporter {
  readonly update: (progress: Progress) => void;
  /** A line that stays. */
  readonly note: (text: string) => void;
  /** Ends the showing; what was drawn goes away. May be called again. */
  readonly stop: () => void;
}

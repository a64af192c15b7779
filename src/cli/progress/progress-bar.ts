import type { Writable } from 'node:stream';
import { note } from '../output/output.js';
import type { ProgressReporter } from './progress-reporter.js';
import { percent, progressText } from './progress-text.js';

const BAR_WIDTH = 20;
const STARTING = { text: 'starting' };

/** A bar with rows, rate, counts and the time left, drawn at most ten times a second. */
export async function startProgressBar(stderr: Writable): Promise<ProgressReporter> {
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

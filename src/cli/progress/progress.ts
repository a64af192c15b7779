import type { Progress } from '../../core/report.js';
import { note } from '../output/output.js';
import { startProgressBar } from './progress-bar.js';
import type { ProgressReporter } from './progress-reporter.js';
import { percent, progressText } from './progress-text.js';
import type { Terminal } from '../output/terminal.js';

const LINE_EVERY_MS = 10_000;

/** Rows after which a run is well under way. */
const ESTIMATE_ROWS = 4_000;

/** A bar on a terminal; elsewhere one plain line every 10 seconds; nothing at all when `quiet`. */
export async function startProgress(terminal: Terminal, quiet: boolean): Promise<ProgressReporter> {
  const reporter = await reporterFor(terminal, quiet);
  let isTerminal = false;
  return {
    ...reporter,
    update: (progress) => {
      const before = isTerminal;
      isTerminal = progress.rows >= ESTIMATE_ROWS && progress.share < 1;
      if (isTerminal !== before) terminal.onSettled?.(isTerminal);
      reporter.update(progress);
    },
  };
}

async function reporterFor(terminal: Terminal, quiet: boolean): Promise<ProgressReporter> {
  if (quiet) return silent;
  return terminal.interactive ? startProgressBar(terminal.stderr) : startProgressLines(terminal);
}

const silent: ProgressReporter = {
  update: () => undefined,
  note: () => undefined,
  stop: () => undefined,
};

function startProgressLines({ stderr }: Terminal): ProgressReporter {
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

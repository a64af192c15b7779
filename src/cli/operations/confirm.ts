import { createInterface } from 'node:readline';
import { UsageError } from '../../core/errors/errors.js';
import { printable } from '../../core/text/printable.js';
import { STANDARD_INPUT } from '../standard-input.js';
import { StoppedError } from '../output/stopped.js';
import type { Terminal } from '../output/terminal.js';

/**
 * Makes sure that somebody can be asked, before anything is done.
 * @param data what was given for --data: standard input cannot bring both the data and the answer
 * @throws UsageError when --yes is needed
 */
export function needSomebody(terminal: Terminal, data: unknown): void {
  if (data !== STANDARD_INPUT && terminal.interactive && terminal.stdin.isTTY === true) return;
  throw new UsageError('Nobody can be asked whether to go on: give --yes to do it without asking.');
}

/**
 * Asks whether to go on. Anything but yes is a no.
 * @throws StoppedError when the person does not want to, or stops
 */
export async function confirm(question: string, terminal: Terminal): Promise<void> {
  const { stdin, stderr, signal } = terminal;
  // Signals are handled in one place only, so the terminal must not be taken over.
  const lines = createInterface({ input: stdin, terminal: false });
  stderr.write(`${printable(question)}\nGo on? [y/N] `);
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
      signal.addEventListener('abort', () => reject(new StoppedError('Stopped.')), { once: true });
    });
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new StoppedError('Nothing was done.');
  } finally {
    lines.close();
  }
}

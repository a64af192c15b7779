import { createInterface } from 'node:readline';
import { UsageError } from '../../core/errors.js';
import { printable } from '../../core/text.js';
import { STANDARD_INPUT, StoppedError, type Terminal } from '../output/output.js';

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
  const answer = await answerTo(`${question}\nGo on? [y/N]`, terminal);
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new StoppedError('Nothing was done.');
}

/**
 * Asks for a number of rows to be typed, with any separators. Anything else is a no.
 * @throws StoppedError when the person does not want to, or stops
 */
export async function confirmRows(
  question: string,
  rows: number,
  terminal: Terminal,
): Promise<void> {
  const answer = await answerTo(`${question} Type ${rows} to go on:`, terminal);
  if (answer.replaceAll(/[\s.,'’]/g, '') !== String(rows))
    throw new StoppedError('Nothing was done.');
}

/** What a person types in one line; empty text where the input ends. @throws StoppedError */
async function answerTo(
  question: string,
  { stdin, stderr, signal }: Pick<Terminal, 'stdin' | 'stderr' | 'signal'>,
): Promise<string> {
  // Signals are handled in one place only, so the terminal must not be taken over.
  const lines = createInterface({ input: stdin, terminal: false });
  stderr.write(`${printable(question)} `);
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
      signal.addEventListener('abort', () => reject(new StoppedError('Stopped.')), { once: true });
    });
  } finally {
    lines.close();
  }
}

import { text } from 'node:stream/consumers';
import type { DataSource } from '../../operations/data.js';
import { STANDARD_INPUT } from '../standard-input.js';
import { stopWaiting } from '../output/stopped.js';
import type { Terminal } from '../output/terminal.js';

/** Where the person says that data is: standard input, JSON on the command line, else a file. */
export async function dataSource(
  given: string,
  option: string,
  terminal: Terminal,
): Promise<DataSource> {
  if (given === STANDARD_INPUT) {
    stopWaiting([given], terminal);
    return { name: 'standard input', text: await text(terminal.stdin) };
  }
  return /^\s*[[{]/.test(given) ? { name: option, text: given } : { file: given };
}

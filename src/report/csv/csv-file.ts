import type { Cell } from '../../core/table.js';
import { AtomicFile } from '../files.js';

/** Characters that are collected before they are encoded. */
const CHUNK = 16 * 1024;

/** A CSV file that appears complete or not at all: UTF-8, commas, lines ended by a newline. */
interface CsvFile {
  write(cells: readonly Cell[]): Promise<void>;
  close(): Promise<void>;
  /** Removes what was written; an older file stays. */
  discard(): Promise<void>;
}

/** @throws OutputError when the file cannot be written, here and in every method */
export async function openCsv(file: string, columns: readonly string[]): Promise<CsvFile> {
  const field = csvField(',');
  const line = (cells: readonly Cell[]): string =>
    `${cells.map((cell) => field(cell ?? '')).join(',')}\n`;
  const target = await AtomicFile.open(file);
  let chunk = line(columns);
  const flush = async (): Promise<void> => {
    const text = chunk;
    chunk = '';
    await target.write(text);
  };
  return {
    write: async (cells) => {
      chunk += line(cells);
      if (chunk.length >= CHUNK) await flush();
    },
    close: async () => {
      await flush();
      await target.commit();
    },
    discard: () => target.discard(),
  };
}

/**
 * Makes the function that turns a text into a CSV field by RFC 4180: quoted when it holds the delimiter, a quote or a
 * line break, or begins or ends with white space, which some readers trim off an unquoted field.
 */
export function csvField(delimiter: string): (text: string) => string {
  const special = new RegExp(`[${escapeForClass(delimiter)}"\\r\\n]|^\\s|\\s$`);
  return (text) => (special.test(text) ? quoted(text) : text);
}

/** The text as a quoted CSV field. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

const escapeForClass = (character: string): string => character.replace(/[\\\]^-]/g, '\\$&');

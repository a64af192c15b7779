import {
  PRINT_WORDS,
  printOf,
  printsText,
  type PreparedChunk,
} from '../../../src/core/prepared.js';
import type { ReadFact } from '../../../src/core/facts.js';
import { type Row, chunksOf } from '../around/rows.js';
import type { List, Night } from './story.js';

/** The value of a client as the contact center has it. */
const valueOf = (value: number): string => `value ${value}`;

/** The clients of a list with their values. */
export function clientsOf(list: List): (readonly [client: number, value: string])[] {
  return list.flatMap((value, at) => (value === null ? [] : [[at + 1, valueOf(value)] as const]));
}

/** The rows of a night as the reading thread prepares them, with their fingerprints. */
export function rowsOf(
  { list, refused }: Night,
  mode: 'create' | 'upsert',
  rowsInChunk: number,
): PreparedChunk[] {
  const rows = clientsOf(list).map(([client, value]): Row => ({
    ...{ kind: 'client', client, sentAs: client, value, active: true, callAt: '' },
    bad: refused[client - 1] ?? false,
  }));
  return chunksOf(rows, mode, rowsInChunk).map((chunk) => {
    const part = rows.slice(chunk.first, chunk.first + chunk.count);
    const prints = new Uint32Array(part.length * PRINT_WORDS);
    for (const [at, { client, value }] of part.entries())
      prints.set(printOf(`${client} ${value}`), at * PRINT_WORDS);
    const read = JSON.parse(Buffer.from(chunk.read).toString()) as ReadFact;
    return {
      ...chunk,
      read: Buffer.from(JSON.stringify({ ...read, prints: printsText(prints) })),
      clients: { ...chunk.clients, prints },
    };
  });
}

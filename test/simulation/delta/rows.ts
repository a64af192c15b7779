import {
  PRINT_WORDS,
  printOf,
  printsText,
  type PreparedChunk,
  type RowRecord,
} from '../../../src/core/prepared.js';
import type { ReadFact } from '../../../src/core/facts.js';
import { type Row, chunksOf } from '../around/rows.js';
import { CLIENTS, type Night } from './story.js';

/** The value of a client as the contact center has it. */
const valueOf = (value: number): string => `value ${value}`;

/** The clients of a list with their values. */
export function clientsOf({
  list,
  isOther = false,
}: Pick<Night, 'list' | 'isOther'>): (readonly [client: number, value: string])[] {
  const first = isOther ? CLIENTS + 1 : 1;
  return list.flatMap((value, at) =>
    value === null ? [] : [[first + at, valueOf(value)] as const],
  );
}

/** The rows of a night as the reading thread prepares them, with their fingerprints. */
export function rowsOf(
  night: Night,
  mode: 'create' | 'upsert',
  rowsInChunk: number,
): PreparedChunk[] {
  const { refused, rejected = [] } = night;
  const rows = clientsOf(night).map(([client, value]): Row => {
    const at = (client - 1) % CLIENTS;
    const isRejected = rejected[at] ?? false;
    return {
      ...{ kind: isRejected ? 'rejected' : 'client', client: isRejected ? null : client },
      ...{ sentAs: client, value, active: true, callAt: '', bad: refused[at] ?? false },
    };
  });
  return chunksOf(rows, mode, rowsInChunk).map((chunk) => {
    const part = rows.slice(chunk.first, chunk.first + chunk.count);
    const printsFor = (clients: readonly Row[]): Uint32Array => {
      const prints = new Uint32Array(clients.length * PRINT_WORDS);
      for (const [at, { sentAs, value }] of clients.entries())
        prints.set(printOf(`${sentAs} ${value}`), at * PRINT_WORDS);
      return prints;
    };
    const { rows: records, ...read } = JSON.parse(Buffer.from(chunk.read).toString()) as ReadFact;
    // The identifiers of a row that is rejected for something else are known.
    const named = records.map(([row, uuid, , ...rest], at): RowRecord => {
      return [row, uuid, [part[at]!.sentAs], ...rest];
    });
    const prints = printsText(printsFor(part));
    return {
      ...chunk,
      read: Buffer.from(JSON.stringify({ ...read, rows: named, prints })),
      clients: {
        ...chunk.clients,
        prints: printsFor(part.filter(({ client }) => client !== null)),
      },
    };
  });
}

/** The rows of a person's own mapping that removes clients from the campaign. */
export function removalsOf({ removed = [] }: Night, rowsInChunk: number): readonly PreparedChunk[] {
  const rows = removed.flatMap((isRemoved, at): Row[] => {
    const client = at + 1;
    const row = { value: '', active: true, callAt: '', bad: false };
    return isRemoved ? [{ ...row, kind: 'client', client, sentAs: client }] : [];
  });
  return chunksOf(rows, 'dequeue', rowsInChunk);
}

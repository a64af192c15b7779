import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type * as Threads from '../../../src/prepare/threads.js';
import type { PreparedChunk } from '../../../src/core/prepared.js';
import { testFolder } from '../../kit/folder.js';

/** Built, since a thread begins with a file of its own. */
const BUILT = new URL('../../../dist/command/threads.js', import.meta.url).href;

const folder = testFolder();
let prepareInThreads: typeof Threads.prepareInThreads;
beforeAll(async () => {
  ({ prepareInThreads } = (await import(BUILT)) as typeof Threads);
  await writeFile(
    join(folder, 'mapping.yaml'),
    `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { id: Id, name: Name }
  phones: [{ value: '79161234567', type: MOB }]
`,
  );
  await writeFile(
    join(folder, 'phones.yaml'),
    `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { id: Id, name: Name }
  phones: [{ column: Name, type: MOB, transform: [{ phone: { country: RU } }] }]
`,
  );
  await writeFile(
    join(folder, 'center.yaml'),
    `name: test
baseUrl: http://127.0.0.1:1
card: { id: { type: Number, sync: true }, name: { type: TextField } }
`,
  );
});

const opened = (name: string, threads: number, signal?: AbortSignal, mapping = 'mapping.yaml') =>
  prepareInThreads(
    {
      inputs: [{ path: join(folder, name), name }],
      mapping: join(folder, mapping),
      installation: join(folder, 'center.yaml'),
      ...{ source: {}, purpose: 'send', show: 0, verify: false },
    },
    signal,
    threads,
  );

/** What so many threads make of a text: its chunks, and how it ended. */
async function prepared(text: string, threads: number, mapping?: string) {
  await writeFile(join(folder, 'rows.csv'), text);
  const preparation = await opened('rows.csv', threads, undefined, mapping);
  const chunks: PreparedChunk[] = [];
  let end: unknown = 'whole';
  try {
    for await (const chunk of preparation.chunks()) chunks.push(chunk);
  } catch (error) {
    end = error;
  } finally {
    await preparation.close();
  }
  return { end, chunks, comparable: chunks.map(comparable) };
}

/** A chunk without what time decides. Columns and bytes as text: as arrays they take seconds to compare. */
const comparable = (chunk: PreparedChunk): string =>
  JSON.stringify(
    Object.entries({ ...chunk, progress: 0, number: 0, inputTimes: null })
      .map(([name, value]) => [name, asText(value)])
      .sort(),
    (_key, value: unknown) => asText(value),
  );

/** Before JSON asks a buffer for its numbers. */
const asText = (value: unknown): unknown =>
  ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
    : value;

const rows = (count: number): string =>
  `Id,Name\n${Array.from({ length: count }, (_, n) => `${n % 7 ? n : 'none'},Имя ${n}\n`).join('')}`;

describe('the chunks of an import', () => {
  it.each([
    ['many rows', rows(7300)],
    ['fewer rows than threads have chunks', rows(10)],
    ['no rows', 'Id,Name\n'],
    ['a fault after many rows', `${rows(4200)}1,"never closed\n`],
  ])('are the same however many threads make them: %s', async (_name, text) => {
    const { end, comparable } = await prepared(text, 0);
    // One thread and several with many rows: where there are few, a thread more has nothing to do.
    for (const threads of text.length > 100_000 ? [1, 3] : [2])
      expect(await prepared(text, threads)).toMatchObject({ end, comparable });
  });

  it.each([
    ['in each tenth row of 5,000', 5000, 10, 496],
    ['once in 1,200 rows', 9600, 1200, 4],
    ['in four rows', 4000, 1000, 0],
  ])('tell of a phone %s, however many threads make them', async (_name, count, every, rows) => {
    const phone = (n: number): number => 79_161_000_000 + (n % every === 0 ? 0 : n);
    const lines = Array.from({ length: count }, (_, n) => `${n},${phone(n)}\n`);
    const one = await prepared(`Id,Name\n${lines.join('')}`, 0, 'phones.yaml');
    const shared = one.chunks.flatMap(({ first, shared = [] }) => shared.map((at) => first + at));
    expect(shared).toEqual(Array.from({ length: rows }, (_, n) => (n + 4) * every));
    const remarks = one.chunks.flatMap((chunk) => chunk.remarks);
    expect(remarks.reduce((sum, remark) => sum + remark.count, 0)).toBe(rows);
    const other = await prepared(`Id,Name\n${lines.join('')}`, 3, 'phones.yaml');
    expect(other.comparable).toEqual(one.comparable);
  });

  it('are given up with what is wrong, before the first of them', async () => {
    for (const threads of [0, 2])
      await expect(prepared('Id,Id\n1,2\n', threads)).rejects.toThrow('the same name');
  });

  it('are given up where nobody waits for them any more', async () => {
    for (const threads of [0, 1]) {
      const stopping = new AbortController();
      const opening = opened('rows.csv', threads, stopping.signal);
      stopping.abort();
      await expect(opening).rejects.toThrow('Interrupted');
    }
  });
});

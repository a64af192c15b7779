import { chmod, mkdir } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/core/errors.js';
import { openSource } from '../../src/source/source.js';
import { collect, rowsOf, testFolder, timesOpen } from './files.js';

const folder = testFolder();
const BIG = `id,name\n${'1,"имя"\n'.repeat(60_000)}`;

async function refusal(file: string): Promise<string> {
  try {
    const { error } = await collect((await openSource(file)).batches());
    return error ? error.code : 'read';
  } catch (error) {
    if (error instanceof InputError) return error.code;
    throw error;
  }
}

describe('files that are no spreadsheet', () => {
  it('says kindly what is wrong with the path', async () => {
    const inner = join(folder.path(), 'inner');
    await mkdir(inner);
    expect(await refusal(inner)).toBe('is_a_directory');
    expect(await refusal(join(folder.path(), 'missing.csv'))).toBe('no_such_file');
    expect(await refusal('/dev/null')).toBe('not_a_file');
  });

  it.skipIf(process.getuid?.() === 0)('says that it may not read (skipped as root)', async () => {
    const file = await folder.write('a,b\n');
    await chmod(file, 0);
    expect(await refusal(file)).toBe('not_readable');
  });

  it('refuses a named pipe instead of waiting for it', async () => {
    const pipe = join(folder.path(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await refusal(pipe)).toBe('not_a_file');
  });

  it('never fails in another way on random bytes', { tags: 'depth' }, async () => {
    const starts = ['', '\ufeff', 'a,b\n"', '\x1f\x8b\x08\0', 'a\0b\0'].map((text) =>
      Buffer.from(text, 'latin1'),
    );
    const content = fc.tuple(
      fc.constantFrom(
        ...starts,
        gzipSync('a,b\n1,2\n'),
        Buffer.of(0xff, 0xfe),
        Buffer.of(0xfe, 0xff),
      ),
      fc.uint8Array({ maxLength: 300 }),
    );
    await fc.assert(
      fc.asyncProperty(content, async ([start, rest]) => {
        expect(await refusal(await folder.write(Buffer.concat([start, rest]), 'random'))).toMatch(
          /^[a-z_]+$/,
        );
      }),
      { numRuns: 500 },
    );
    for (let size = 1000; size < 3_000_000; size *= 3)
      expect(await refusal(await folder.write(randomBytes(size), 'random'))).toBe(
        'not_a_spreadsheet',
      );
  });
});

describe('gzip', () => {
  it('is unpacked, with progress told in packed bytes', async () => {
    const packed = gzipSync(BIG);
    const source = await openSource(await folder.write(packed, 'leads.csv'));
    expect(source.info).toMatchObject({ gzip: true, bytes: packed.length, encoding: 'utf-8' });
    expect(await rowsOf(source)).toHaveLength(60_001);
    expect(source.bytesRead()).toBe(packed.length);
  });

  it('gives the rows before the place where it is cut off', async () => {
    const text = `id,name\n${Array.from({ length: 60_000 }, (_, i) => `${i},${i * 7919}\n`).join('')}`;
    const packed = gzipSync(text);
    const file = await folder.write(packed.subarray(0, packed.length - 1000));
    const { rows, error } = await collect((await openSource(file)).batches());
    expect(error?.code).toBe('truncated_gzip');
    expect(rows.length).toBeGreaterThan(40_000);
    expect(rows.at(-1)).toEqual([
      rows.length,
      [`${rows.length - 2}`, `${(rows.length - 2) * 7919}`],
    ]);
  });

  it('of rows that never end is refused, with a way out', async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024, `1,${'2'.repeat(1000)}\n`));
    const file = await folder.write(Buffer.concat([gzipSync('a,b\n1,2\n'), bomb]));
    const { rows, error } = await collect((await openSource(file)).batches());
    expect(rows.slice(0, 2)).toEqual([
      [1, ['a', 'b']],
      [2, ['1', '2']],
    ]);
    expect(error?.code).toBe('zip_bomb');
    expect(error?.message).toContain('unpack it yourself and give the .csv file');
  });

  it('may be of a large file that packs well', { tags: 'depth' }, async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `${i * 7919},,,,,,,,,,new\n`).join('');
    const packed = gzipSync(lines.repeat(160));
    expect(lines.length * 160).toBeGreaterThan(64 * 1024 * 1024);
    const source = await openSource(await folder.write(packed));
    let count = 0;
    for await (const batch of source.batches()) count += batch.length;
    expect(count).toBe(20_000 * 160);
  });

  it('of a bomb ends with an error', { tags: 'depth' }, async () => {
    const file = await folder.write(gzipSync(Buffer.alloc(200 * 1024 * 1024, 'x')));
    expect(await refusal(file)).toBe('cell_too_long');
  });
});

describe('a source', () => {
  it('that is packed closes its file when the reading ends early', async () => {
    const file = await folder.write(gzipSync(BIG));
    for await (const batch of (await openSource(file)).batches()) {
      expect(batch.length).toBeGreaterThan(0);
      expect(await timesOpen(file)).toBe(1);
      break;
    }
    expect(await timesOpen(file)).toBe(0);
  });

  it('closes its file after an error', async () => {
    const file = await folder.write(`${BIG}"`);
    const { error } = await collect((await openSource(file)).batches());
    expect(error?.code).toBe('unclosed_quote');
    expect(await timesOpen(file)).toBe(0);
  });
});

/**
 * Content digests are whole: after a large file was imported, bytes of it are changed in places that samples would miss,
 * its size and its time of change stay, and the same command is run again. It never says that this was imported already:
 * the clients whose identifiers changed are sent, and nobody is sent twice.
 *
 * Short: a file of 10 MiB, about 3 s. Full (PROOF=full): one of 600 MiB, whose rows are few and long, about a minute;
 * it needs as much room in the folder for temporary files.
 */
import { closeSync, openSync, readSync, statSync, utimesSync, writeSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, COLUMNS, countOutcomes, identityOf, lead, twice } from '../../runs/harness.js';
import { isFull } from '../harness.js';
import { STEADY, openNaiveBench, said, sendings } from './harness.js';

const MIB = 1024 * 1024;
const SIZES = isFull ? [10, 600] : [10];

let bench: Bench;
beforeEach(async () => {
  bench = await openNaiveBench();
});
afterEach(() => bench.close());

/** A lead of one line of known length, and where its identifier stands in the line. */
const cells = (number: number): string =>
  COLUMNS.map((name) => `"${lead(number, { Comment: '', Last: 'Testoff' })[name]}"`).join(',');

interface LargeFile {
  readonly path: string;
  readonly rows: number;
  /** Where the identifier of each row stands, from the first row on. */
  readonly places: readonly number[];
}

/** Writes rows of half a MiB each (an eighth in a small file), in pieces, since the whole does not fit into a text. */
function writeLarge(mib: number): LargeFile {
  const path = bench.at('large.csv');
  const cell = 'x'.repeat(mib > 100 ? MIB / 2 : MIB / 16);
  const file = openSync(path, 'w');
  const places: number[] = [];
  try {
    let at = writeSync(file, `${COLUMNS.join(',')},Notes\n`);
    for (let number = 1; at < mib * MIB; number++) {
      places.push(at + 1);
      at += writeSync(file, `${cells(number)},${cell}\n`);
    }
  } finally {
    closeSync(file);
  }
  return { path, rows: places.length, places };
}

/** Pieces that are taken of a file: so many of so many bytes, evenly spread, its first and last among them. */
interface Samples {
  readonly pieces: number;
  readonly bytes: number;
}
/** What digests of samples took once: a few small pieces to tell files apart at once, and many larger ones. */
const SAMPLES: readonly Samples[] = [
  { pieces: 16, bytes: 64 * 1024 },
  { pieces: 256, bytes: MIB },
];

/** Whether samples of a file of this size see the byte at a place. */
function isSampled(place: number, size: number): boolean {
  return SAMPLES.some(({ pieces, bytes }) => {
    if (size <= pieces * bytes) return false;
    const step = Math.floor((size - bytes) / (pieces - 1));
    return place % step < bytes + 16 || place > size - bytes - 16;
  });
}

/** Gives rows that no sample sees other identifiers of the same length; time and size stay. Gives their numbers. */
function changeUnseen({ path, places }: LargeFile): number[] {
  const { size, atimeMs, mtimeMs } = statSync(path);
  const changed: number[] = [];
  const file = openSync(path, 'r+');
  try {
    const digit = Buffer.alloc(1);
    for (const [index, place] of places.entries()) {
      if (isSampled(place, size)) continue;
      readSync(file, digit, 0, 1, place);
      // Identifiers begin with 1: those of 100,000 become those of 700,000.
      expect(digit.toString()).toBe('1');
      writeSync(file, '7', place);
      changed.push(index + 1);
    }
  } finally {
    closeSync(file);
  }
  utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
  return changed;
}

it.each(SIZES)(
  'a file of %i MiB that was changed where no sample sees it is not "imported already"',
  { timeout: 600_000 },
  async (mib) => {
    const large = writeLarge(mib);
    const first = await bench.import('run', [large.path], STEADY);
    expect(first.code, said(first)).toBe(0);
    expect(bench.center.cards.size).toBe(large.rows);
    const sent = sendings(bench.center);

    const changed = changeUnseen(large);
    expect(changed.length).toBeGreaterThan(large.rows / 10);
    const second = await bench.import('run', [large.path], STEADY);
    expect(said(second)).not.toMatch(/imported already/i);
    expect(sendings(bench.center)).toBeGreaterThan(sent);
    const wanted = changed.map((number) =>
      identityOf(lead(number, { Offer: String(700_000 + number) })),
    );
    expect(wanted.filter((identity) => !bench.center.cards.has(identity))).toEqual([]);
    expect(bench.center.cards.size).toBe(large.rows + changed.length);
    expect(twice(bench.center.creations)).toEqual([]);
    expect(second.code, said(second)).toBe(0);
    expect(countOutcomes(second.report())).toEqual({
      created: changed.length,
      skipped: large.rows - changed.length,
    });

    const third = await bench.import('run', [large.path], STEADY);
    expect(third.code, said(third)).toBe(0);
    expect(said(third)).toMatch(/already/i);
    expect(twice(bench.center.creations)).toEqual([]);
  },
);

import { readdirSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LIBRARY, built } from '../../kit/built.js';
import type * as Library from '../../../src/index.js';
import type { CheckState, RunningCheck } from '../../../src/index.js';
import { testFolder } from '../../kit/folder.js';

const { startCheck, StopRun } = await built<typeof Library>(LIBRARY);

/** With their notes, enough bytes for a thread that reads them. */
const ROWS = 30_000;
const NOTE = 'n'.repeat(60);
/** Every so many rows, one has no phone. */
const EVERY = 20;
const BAD = ROWS / EVERY;

/** A bad row by its number among the bad ones: what stands in the place of its phone, and of its segment. */
const badPhone = (at: number): string => (at % 5 < 3 ? 'none' : at % 5 === 3 ? '-' : `8495${at}`);
const badSegment = (at: number): string => (at % 10 === 0 ? 'tepid' : 'warm');
const rowOf = (at: number): number => at * EVERY + 2;

const folder = testFolder();
let check: RunningCheck | undefined;
const at = (name: string): string => join(folder, name);
const request = () => ({
  ...{ files: [at('leads.csv')], mapping: at('mapping.yaml'), installation: at('center.yaml') },
  ...{ folder: at('private'), show: 0 },
});

beforeAll(async () => {
  await writeFile(
    at('mapping.yaml'),
    `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Id, segment: { column: Segment, blank: [unknown] } }
  phones: [{ column: Phone, type: MOB, transform: [{ phone: { country: RU } }] }]
`,
  );
  await writeFile(
    at('center.yaml'),
    `name: test
baseUrl: http://127.0.0.1:9
card:
  offerId: { type: Number, sync: true }
  segment: { type: ComboBox, values: [cold, warm] }
`,
  );
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const bad = row / EVERY;
    return row % EVERY === 0
      ? `${row};${badPhone(bad)};${badSegment(bad)};Note ${row}\n`
      : `${row};7916${1_000_000 + row};warm;${NOTE}\n`;
  });
  await writeFile(at('leads.csv'), `Id;Phone;Segment;Note\n${lines.join('')}`);
});
afterEach(() => check?.close());
afterAll(async () => {
  await (await whole)?.close();
});

let whole: Promise<RunningCheck> | undefined;

/** One check at its end, for all who only look. */
function finished(): Promise<RunningCheck> {
  return (whole ??= startCheck(request()).then(async (done) => {
    await done.result;
    return done;
  }));
}

const groupOf = ({ groups }: CheckState, column: string) =>
  groups.find((group) => group.column === column)!;

describe('a check that is watched', () => {
  it('counts what a check without watchers counts, and ends with the whole', async () => {
    check = await startCheck(request());
    const states: CheckState[] = [];
    for await (const state of check.watch()) states.push(state);
    const result = await check.result;
    expect(result).toMatchObject({ rows: ROWS, rejects: [], summary: { clients: ROWS - BAD } });
    expect(result.outcomes.rejected).toBe(BAD);
    const last = states.at(-1)!;
    const { size } = statSync(at('leads.csv'));
    expect(last).toMatchObject({
      ...{ phase: 'finished', hasFirstRows: true, rows: ROWS, rejected: BAD, share: 1 },
      ...{ bytes: size, totalBytes: size, secondsLeft: null },
      indexed: { rows: BAD },
    });
    const shares = states.map(({ rows }) => rows);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(last.groups.map(({ column, code, rows }) => [column, code, rows])).toEqual([
      ['Phone', 'not_a_phone', BAD],
      ['Segment', expect.any(String), BAD / 10],
    ]);
    const { values, hasMoreValues, alone } = groupOf(last, 'Phone');
    expect(values.slice(0, 2)).toEqual([
      { value: 'none', rows: (BAD * 3) / 5, alone: (BAD * 5) / 10, isMin: false },
      { value: '-', rows: BAD / 5, alone: BAD / 5, isMin: false },
    ]);
    expect([hasMoreValues, alone]).toEqual([true, BAD - BAD / 10]);
  });

  it('shows the rows of every group page by page, with the bad cells marked', async () => {
    const done = await finished();
    const { id } = groupOf(done.state(), 'Phone');
    const shown: number[] = [];
    for (let offset = 0; offset < BAD; offset += 400) {
      const { total, rows } = await done.page({ group: id, offset, limit: 400, columns: ['Note'] });
      expect(total).toBe(BAD);
      for (const [index, { row, cells, file }] of rows.entries()) {
        const bad = offset + index;
        shown.push(row);
        if (bad % 97 !== 0) continue;
        expect(file).toBe(at('leads.csv'));
        expect(cells).toMatchObject([
          { column: 'Phone', value: badPhone(bad), problems: [{ code: 'not_a_phone' }] },
          ...(bad % 10 === 0 ? [{ column: 'Segment', value: 'tepid', problems: [{}] }] : []),
          { column: 'Note', value: `Note ${bad * EVERY}`, problems: [] },
        ]);
      }
    }
    expect(shown).toEqual(Array.from({ length: BAD }, (_, bad) => rowOf(bad)));
    const segments = await done.page({
      group: groupOf(done.state(), 'Segment').id,
      offset: BAD / 10 - 10,
      limit: 50,
    });
    expect(segments.rows.map(({ row }) => row)).toEqual(
      Array.from({ length: 10 }, (_, index) => rowOf((BAD / 10 - 10 + index) * 10)),
    );
    expect(segments.rows[0]?.cells.map(({ column }) => column)).toEqual([
      ...['Id', 'Phone', 'Segment', 'Note'],
    ]);
    expect((await done.page({ offset: BAD - 3 })).rows).toHaveLength(3);
    expect((await done.page({ group: 999 })).rows).toEqual([]);
  });

  it('shows rows while others are checked', async () => {
    check = await startCheck(request());
    for await (const { rejected, phase } of check.watch()) {
      if (rejected < 100 && phase !== 'finished') continue;
      const { rows } = await check.page({ offset: 50, limit: 10 });
      expect(rows.map(({ row }) => row)).toEqual(
        Array.from({ length: 10 }, (_, index) => rowOf(50 + index)),
      );
      break;
    }
    expect((await check.result).rows).toBe(ROWS);
  });

  it('keeps what it knows of rows in a file of its owner, which goes with it', async () => {
    check = await startCheck({ ...request(), folder: at('other') });
    await check.page();
    const [file = ''] = readdirSync(at('other'));
    expect(statSync(join(at('other'), file)).mode & 0o777).toBe(0o600);
    expect(statSync(at('other')).mode & 0o777).toBe(0o700);
    await check.close();
    check = undefined;
    expect(readdirSync(at('other'))).toEqual([]);
  });

  it('counts rows that find no place in the index, and says so', { tags: 'depth' }, async () => {
    check = await startCheck({ ...request(), maxIndexBytes: 150_000 });
    expect((await check.result).outcomes.rejected).toBe(BAD);
    const { groups, indexed } = check.state();
    expect(groups[0]?.rows).toBe(BAD);
    expect(indexed.missing).toContain('more room');
    expect(indexed.bytes).toBeLessThanOrEqual(160_000);
    const { total, rows } = await check.page({ offset: indexed.rows - 2 });
    expect([total, rows.length]).toEqual([indexed.rows, 2]);
  });

  it('can be stopped, and shows what it has', async () => {
    check = await startCheck(request());
    for await (const { rejected } of check.watch()) if (rejected > 0) break;
    check.stop();
    await expect(check.result).rejects.toThrow(StopRun);
    const { phase, rows, rejected } = check.state();
    expect(phase).toBe('stopped');
    expect(rows).toBeLessThan(ROWS);
    expect((await check.page({ limit: 1000 })).total).toBe(rejected);
  });

  it('fails as a check does', async () => {
    check = await startCheck({ ...request(), files: [at('missing.csv')] });
    await expect(check.result).rejects.toThrow(/missing\.csv/);
    const states: CheckState[] = [];
    for await (const state of check.watch()) states.push(state);
    expect(states.map(({ phase }) => phase)).toEqual(['failed']);
  });
});

describe('rules for all rows with a value', () => {
  it('are edits of the mapping, with the rows that they touch and mend', async () => {
    const done = await finished();
    const phones = groupOf(done.state(), 'Phone').id;
    const counts = { rows: (BAD * 3) / 5, mends: BAD / 2, isMin: false };
    // Without its only phone a row would be rejected all the same.
    expect(await done.mends(phones, 'none')).toEqual([
      { edit: { kind: 'mapValue', column: 'Phone', from: 'none' }, ...counts },
    ]);
    const [, blank] = await done.mends(groupOf(done.state(), 'Segment').id, 'tepid');
    expect(blank).toEqual({
      edit: { kind: 'blank', column: 'Segment', words: ['unknown', 'tepid'] },
      ...{ rows: BAD / 10, mends: 0, isMin: false },
    });
    expect(await done.mends(phones, 'never seen')).toEqual([]);
    expect(await done.mends(99, 'none')).toEqual([]);
  });
});

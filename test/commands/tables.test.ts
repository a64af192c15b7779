import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ago, runDetails, runTable } from '../../src/cli/commands/records.js';
import { columnWidths, rowsTable } from '../../src/cli/operations/operations.js';
import { shortenedInMiddle } from '../../src/core/text.js';
import type { RunRecord } from '../../src/core/ledger.js';
import { noOutcomes } from '../../src/core/outcome.js';
import { inProcess } from './operations/harness.js';

const NOW = Date.UTC(2026, 10, 23, 12);
const HOUR = 3_600_000;
const RUN: RunRecord = {
  run: '20261123-100000-1f3a',
  mode: 'create',
  state: 'finished',
  inputs: ['/home/somebody/lists of the whole autumn/leads of november 2026.csv'],
  campaignId: 42,
  campaignName: 'Autumn leads',
  installation: 'test http://127.0.0.1 offerId',
  createdAt: NOW - 2 * HOUR,
  endedAt: NOW - HOUR,
  out: '/home/somebody/runs/20261123-100000-1f3a',
  rows: 50_000,
  outcomes: { ...noOutcomes(), enqueued: 49_000, enqueue_failed: 10, rejected: 990 },
};

const widest = (text: string): number =>
  Math.max(...text.split('\n').map((line) => Array.from(line).length));

describe('the table of runs', () => {
  it.each([200, 100, 80, 60])('fits %d columns, and has ids and names whole', async (columns) => {
    const text = await runTable([RUN, { ...RUN, run: '20261122-100000-77aa' }], columns, NOW);
    expect(widest(text)).toBeLessThanOrEqual(columns);
    for (const words of ['20261123-100000-1f3a', '20261122-100000-77aa', '2 h ago', '50,000'])
      expect(text).toContain(words);
    expect(text.replace(/\s+/g, ' ')).toContain('Autumn leads (42)');
    expect(text).toMatch(/2026\.csv/);
  });

  it('shows local times of one run, and how long ago they were', () => {
    const text = runDetails(RUN, NOW);
    expect(text).toMatch(/^begun +2026-11-2\d \d\d:\d\d:\d\d [+-]\d\d:\d\d \(2 h ago\)$/m);
    expect(text).toMatch(/^ended .*\(1 h ago\)$/m);
    expect(text).toMatch(/^campaign +Autumn leads \(42\)$/m);
    expect(text).not.toContain('sandbox');
    const inSandbox = runDetails({ ...RUN, isSandbox: true }, NOW);
    expect(inSandbox).toMatch(/^sandbox +yes; no real contact center was changed$/m);
  });
});

describe('tables of operations', () => {
  const rows = [
    {
      id: 123_456_789,
      uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
      name: 'a name that goes on for a very long time, longer than any terminal is wide',
    },
    { id: 1, uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3302', name: 'short' },
  ];

  it('fit the terminal, and leave ids as they are', async () => {
    const text = await rowsTable(rows, undefined, 80);
    expect(widest(text)).toBeLessThanOrEqual(80);
    for (const { id, uuid } of rows) {
      expect(text).toContain(String(id));
      expect(text).toContain(uuid);
    }
    expect(text).toMatch(/a name.*….*wide/);
    expect(await rowsTable(rows)).toContain(rows[0]?.name);
  });

  it('give room to the columns that need it', () => {
    const column = fc.record({ width: fc.nat(200), canShrink: fc.boolean() });
    fc.assert(
      fc.property(fc.array(column, { maxLength: 12 }), fc.nat(300), (columns, room) => {
        const widths = columnWidths(columns, room);
        const sum = widths.reduce((all, width) => all + width, 0);
        const canFit = columns.every(({ width, canShrink }, at) =>
          canShrink ? (widths[at] ?? 0) <= width : widths[at] === width,
        );
        const isNarrowest = columns.every(
          ({ canShrink }, at) => !canShrink || (widths[at] ?? 0) <= 6,
        );
        expect(canFit).toBe(true);
        expect(sum <= room || isNarrowest).toBe(true);
      }),
    );
  });
});

it('leaves out the middle, and no more than it must', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      const short = shortenedInMiddle(text, width);
      const length = Array.from(text).length;
      expect(Array.from(short)).toHaveLength(Math.min(length, width));
      if (length <= width) expect(short).toBe(text);
      else expect(text.startsWith(short.slice(0, short.indexOf('…')))).toBe(true);
    }),
  );
});

it.each([
  [0, 'just now'],
  [59_000, 'just now'],
  [60_000, '1 min ago'],
  [2.9 * HOUR, '2 h ago'],
  [50 * HOUR, '2 d ago'],
])('%d ms are %s', (passed, text) => {
  expect(ago(NOW - passed, NOW)).toBe(text);
});

it('says what applications can be filtered by', async () => {
  const { stdout } = await inProcess(['applications', 'remove-by-filter', '--help']);
  const words = stdout.replace(/\s+/g, ' ');
  for (const key of ['application.status: ', 'phones.phoneNumber', 'NOT LIKE', 'NO_ANSWER'])
    expect(words).toContain(key);
});

import { expect, it } from 'vitest';
import type { RowReport } from '../../../src/core/report.js';
import { ReasonTally } from '../../../src/report/reasons.js';
import { rowReport } from './rows.js';

const tallied = (rows: readonly Partial<RowReport>[], most?: number) => {
  const tally = new ReasonTally(most);
  for (const [ordinal, row] of rows.entries())
    tally.add(rowReport({ ordinal, row: ordinal + 2, ...row }));
  return tally;
};
const refused = (createResult: string): Partial<RowReport> => ({ outcome: 'failed', createResult });
const problem = (column: string, message: string) => ({
  column,
  code: 'bad',
  message,
  value: 'private',
});

it('counts rows by what the contact center said and by what was found in them', () => {
  const phone = problem('Phone', 'No phone.');
  const tally = tallied([
    { outcome: 'rejected', problems: [phone, phone] },
    refused('Too old.'),
    refused('Too old.'),
    {},
  ]);
  expect(tally.list()).toMatchObject([
    { outcome: 'failed', from: 'contact center', message: 'Too old.', rows: 2 },
    { outcome: 'rejected', from: 'row', column: 'Phone', rows: 1, examples: [{ row: 2 }] },
  ]);
  expect(tally.list()[1]?.examples).toEqual([{ input: 0, sheet: null, row: 2, value: 'private' }]);
});

it('takes messages that differ in numbers for one reason, and keeps the number that all have', () => {
  const [blacklisted, limit] = tallied([
    refused('Client 17 is known.'),
    refused('Client 4 is known.'),
    refused('Client 5 is known.'),
    refused('At most 25 characters.'),
    refused('At most 25 characters.'),
  ]).list();
  expect(blacklisted).toMatchObject({ message: 'Client … is known.', rows: 3 });
  expect(limit).toMatchObject({ message: 'At most 25 characters.', rows: 2 });
});

it('keeps no more reasons and examples than it may, and says how many it left out', () => {
  const letters = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index));
  const tally = tallied(
    [...letters.map(refused), ...Array.from({ length: 9 }, () => refused('a'))],
    4,
  );
  expect(tally.list()).toHaveLength(4);
  expect(tally.list()[0]).toMatchObject({ message: 'a', rows: 10 });
  expect(tally.list()[0]?.examples).toHaveLength(5);
  expect(tally.unlisted).toBe(16);
});

it('counts what a comparison found: a field that differs is one reason, whatever its values', () => {
  const different = (sheet: string): Partial<RowReport> => ({
    outcome: 'different',
    inspection: {
      verdict: 'different',
      clientId: 1,
      differences: [{ field: 'fullName', sheet, center: 'B' }],
      application: null,
    },
  });
  const missing: Partial<RowReport> = {
    outcome: 'missing',
    inspection: { verdict: 'missing', clientId: null, differences: [], application: null },
  };
  const tally = tallied([different('A'), missing, different('C')]);
  expect(tally.list()).toMatchObject([
    { outcome: 'different', from: 'comparison', column: 'fullName', rows: 2 },
    { outcome: 'missing', from: 'comparison', column: null, rows: 1, examples: [{ row: 3 }] },
  ]);
});

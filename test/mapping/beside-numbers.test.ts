import { expect, test } from 'vitest';
import { clientOf, compiled, withName } from './files.js';
import { tablesIn } from '../kit/tables.js';

const { forbids, harmless } = tablesIn(import.meta.dirname, 'beside-numbers.yaml') as Readonly<
  Record<'forbids' | 'harmless', Readonly<Record<string, string>>>
>;

const NUMBER = '+49 30 123456';
const FORBIDDEN = 'must not be called';

/** Cells with the number before, behind, and above what each line says, and with that in brackets. */
function cellsOf(lines: string): string[] {
  return lines
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const said = line.replaceAll('\\n', '\n').replaceAll('\\u3000', '\u3000');
      if (said.includes('@')) return [said.replaceAll('@', NUMBER)];
      const behind = [`${NUMBER} ${said}`, `${NUMBER} (${said})`, `${NUMBER}\n${said}`];
      return [...behind, `${said} ${NUMBER}`];
    });
}

const READ = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { id: Id, name: Name }
  phones: [{ column: Phone, type: MOB, transform: [{ phone: { country: DE } }] }]
`;

/** What is sent of a cell, by the transform and as it stands, or why nothing is. */
const outcomes = async () => {
  const maps = [await compiled(READ), await compiled(withName('Name'))].map(({ map }) => map);
  return (cell: string): string[] =>
    maps.map((map) => {
      const row = map(['1', 'x', cell]);
      if (row.status !== 'client') return row.problems.map(({ message }) => message).join();
      return clientOf(row).phones[0]?.phoneNumber ?? '';
    });
};
const reading = outcomes();

test.each(Object.entries(forbids))('forbids: %s', async (_kind, lines) => {
  const outcome = await reading;
  const isForbidden = (found: string): boolean => found.includes(FORBIDDEN);
  expect(cellsOf(lines).filter((cell) => !outcome(cell).every(isForbidden))).toEqual([]);
});

test.each(Object.entries(harmless))('says nothing of the kind: %s', async (_kind, lines) => {
  const cells = cellsOf(lines);
  expect(cells.map(await reading)).toEqual(cells.map((cell) => ['+4930123456', cell]));
});

test.each([
  '電話してしてして',
  '可以',
  'di boleh di ',
  'no ',
  'ne pas ',
  '电话要能可',
  '❌ sms ',
  '0 no ',
  'nicht vor 9 Uhr ',
  '9:00-17:00 ',
  '9 - 17 uhr ',
  'с 9 до 12 и ',
  'nein, ',
  'dnc: no ',
  '(2 ',
  '1) ',
])('a text of many %j comes to its end', async (words) => {
  const outcome = await reading;
  // Where the time grew with the square of the length, this would take minutes.
  expect(outcome(`${NUMBER} ${words.repeat(20_000)}`)).toHaveLength(2);
});

import { describe, expect, it } from 'vitest';
import { profileOf } from '../../src/suggest/contents.js';
import { CLASSES, languageOf, recognise, understandColumns } from '../../src/suggest/understand.js';
import { SURE } from '../../src/suggest/columns.js';
import { CONCEPTS, LANGUAGES, wordsOf } from '../../src/suggest/words.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'understand.yaml') as [string, string][];

/** What a column that stands alone may mean. */
const understand = (header: string, values: readonly string[] = []) => {
  const cells = profileOf(values);
  const column = { name: recognise(header), cells, phoneShare: cells.share('phoneLike') };
  return understandColumns([column])[0] ?? [];
};

describe('what a column means', () => {
  it.each(CASES)('is known of %s, which is no known wording', (header, concept) => {
    expect(
      understand(header)
        .slice(0, 2)
        .map((each) => each.concept),
    ).toContain(concept);
  });

  it.each([
    ['Børn', 'birthDate'],
    ['Straat', 'country'],
    ['Stat', 'gender'],
  ])('is not surely that of another language: %s', (header, wrong) => {
    const { score } = understand(header).find(({ concept }) => concept === wrong) ?? { score: 0 };
    expect(score).toBeLessThan(SURE);
  });

  it.each(['x', 'x ', ' ', '1 ', 'x1 '])('comes to its end for a cell of many %j', (piece) => {
    // Where the time grew with the square of the length, this would take minutes.
    expect(understand('Notes', [piece.repeat(300_000)])[0]?.concept).toBe('comment');
  });

  it('has probabilities that add up to one at most', () => {
    for (const header of ['Telefon', 'Zebra', '姓名', '']) {
      const sum = understand(header).reduce((total, { score }) => total + score, 0);
      expect(sum).toBeLessThanOrEqual(1 + 1e-9);
    }
  });
});

describe('the words of the package', () => {
  it('are of at least 25 languages with ten things each', () => {
    const things = new Map<string, number>();
    for (const { language } of wordsOf('column'))
      things.set(language, (things.get(language) ?? 0) + 1);
    const large = LANGUAGES.filter((language) => (things.get(language) ?? 0) >= 10);
    expect(large.length).toBeGreaterThanOrEqual(25);
  });

  it('name every thing that a column may mean, and nothing else', () => {
    expect(new Set(wordsOf('column').map(({ of }) => of))).toEqual(new Set(CONCEPTS));
    expect(CLASSES).toHaveLength(CONCEPTS.length + 1);
  });

  it('are found in any form of writing, and in Latin letters', () => {
    for (const name of ['FIRST_NAME', 'firstName', 'First  name'])
      expect(recognise(name).meanings[0]?.concept).toBe('firstName');
    expect(recognise('Familiya').meanings[0]?.concept).toBe('lastName');
    expect(languageOf(['Voornaam', 'Achternaam', 'Woonplaats'])).toBe('nl');
  });
});

import type { JSX } from 'preact';
import type { ShownListFacts } from '../../shared/list-facts.js';
import { number, t, counted, type Message, type Messages } from '../state/language.js';
import type { QualityPart } from '../../../core/quality-parts.js';

/** How good a list is, and what the checks of its mapping came to; nothing where neither was looked for. */
export function ListFacts({ facts }: { readonly facts: ShownListFacts }): JSX.Element | null {
  const { quality, checks } = facts;
  if (!quality && checks.length === 0) return null;
  return (
    <section>
      <h2 id="list-facts">{t(listText.title)}</h2>
      {checks.length > 0 && (
        <ul class="remarks">
          {checks.map(({ holds, isStop, sentence }) => (
            <li>
              <strong>
                {t(holds ? listText.holds : isStop ? listText.stops : listText.warns)}
              </strong>{' '}
              {sentence}
            </li>
          ))}
        </ul>
      )}
      {quality && <Quality quality={quality} />}
    </section>
  );
}

type ShownQuality = NonNullable<ShownListFacts['quality']>;

const Quality = ({ quality }: { readonly quality: ShownQuality }): JSX.Element => (
  <>
    <p>
      <strong>{t(listText.score, quality.score)}</strong>{' '}
      <span class="soft">{t(listText.lost, quality.lost, quality.rows, quality.outside)}</span>
    </p>
    <div class="scroll" tabIndex={0} role="region" aria-labelledby="list-facts">
      <table class="result-counts">
        <thead>
          <tr>
            <th scope="col">{t(listText.part)}</th>
            <th scope="col" class="number">
              {t(listText.points)}
            </th>
            <th scope="col" class="number">
              {t(listText.rows)}
            </th>
          </tr>
        </thead>
        <tbody>
          {quality.parts.map(({ part, points, of, rows }) => (
            <tr key={part}>
              <th scope="row">{t(partText[part])}</th>
              <td class="number">{t(listText.of, points, of)}</td>
              <td class="number">{number(rows)}</td>
            </tr>
          ))}
          {quality.whole && (
            <tr>
              <th scope="row">{t(listText.whole)}</th>
              <td class="number">{t(listText.minus, quality.whole.points)}</td>
              <td class="number">{t(listText.found, quality.whole.doubts, quality.whole.notes)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  </>
);

const listText = {
  title: { en: 'The list as a whole', ru: 'Список в целом' },
  score: {
    en: (score: number) => `Quality ${number(score)} of 100`,
    ru: (score: number) => `Качество ${number(score)} из 100`,
  },
  lost: {
    en: (lost: number, rows: number, outside: number) =>
      `${number(lost)} of ${counted(rows, { one: 'row', other: 'rows' })} rejected or skipped` +
      (outside === 0 ? '' : `; the mapping does not take ${number(outside)} more`),
    ru: (lost: number, rows: number, outside: number) =>
      `отклонено или пропущено строк: ${number(lost)} из ${number(rows)}` +
      (outside === 0 ? '' : `; ещё не взято правилами: ${number(outside)}`),
  },
  part: { en: 'What counts', ru: 'Что учитывается' },
  points: { en: 'Points', ru: 'Баллы' },
  of: {
    en: (points: number, of: number) => `${number(points)} of ${number(of)}`,
    ru: (points: number, of: number) => `${number(points)} из ${number(of)}`,
  },
  whole: { en: 'the list as a whole', ru: 'список в целом' },
  minus: {
    en: (points: number) => `−${number(points)}`,
    ru: (points: number) => `−${number(points)}`,
  },
  found: {
    en: (doubts: number, notes: number) =>
      [
        ...(doubts > 0 ? [counted(doubts, { one: 'doubt', other: 'doubts' })] : []),
        ...(notes > 0 ? [counted(notes, { one: 'note', other: 'notes' })] : []),
      ].join(', '),
    ru: (doubts: number, notes: number) =>
      [
        ...(doubts > 0 ? [`сомнений: ${number(doubts)}`] : []),
        ...(notes > 0 ? [`примечаний: ${number(notes)}`] : []),
      ].join(', '),
  },
  rows: { en: 'Rows that lose points', ru: 'Строк, теряющих баллы' },
  holds: { en: 'holds', ru: 'выполнено' },
  warns: { en: 'warns', ru: 'внимание' },
  stops: { en: 'stops the import', ru: 'импорт не начнётся' },
} as const satisfies Messages;

const partText = {
  phones: { en: 'phones valid', ru: 'телефоны верны' },
  unique: { en: 'unique', ru: 'без повторов' },
  suppressed: { en: 'not suppressed', ru: 'можно звонить' },
  zone: { en: 'time zone certain', ru: 'часовой пояс известен' },
  fresh: { en: 'fresh', ru: 'свежие' },
  complete: { en: 'complete', ru: 'заполнены' },
} as const satisfies Record<QualityPart, Message>;

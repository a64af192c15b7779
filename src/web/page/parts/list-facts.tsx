import type { JSX } from 'preact';
import type { ShownListFacts } from '../../shared/list-facts.js';
import { listText, partText } from '../messages/list-facts.js';
import { number, t } from '../state/language.js';

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

import type { ListQuality } from '../../../core/quality.js';
import { costText, qualityLines, scoreText } from '../../text/quality-text.js';
import { markup, type Markup, nothing } from '../markup.js';
import { tableOf } from '../tables.js';

/** The score of the list, and where it loses points. */
export function qualitySection(quality: ListQuality | null): Markup {
  if (!quality) return nothing;
  const lines = qualityLines(quality).map(
    ([label, points, rows]) =>
      markup`<tr>
        <th scope="row">${label}</th>
        <td class="number">${points}</td>
        <td>${rows}</td>
      </tr>`,
  );
  const cost = costText(quality);
  return markup`<section aria-labelledby="quality">
    <h2 id="quality">Quality of the list</h2>
    <p>${scoreText(quality)} ${cost}</p>
    ${tableOf({ heads: ['part', 'points', 'rows that lose points'], lines, numeric: new Set(['points']) })}
  </section>`;
}

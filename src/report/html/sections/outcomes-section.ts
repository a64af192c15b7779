import type { Repeated } from '../../../core/duplicates.js';
import { GOOD_OUTCOMES, OUTCOMES, type OutcomeCounts } from '../../../core/outcome.js';
import type { SuppressedCount } from '../../../core/suppressed.js';
import { whole } from '../../../core/text.js';
import { repeatedFacts } from '../../repeated-facts.js';
import type { RowTally } from '../../row-tally.js';
import { duplicatesText } from '../../text/duplicates-text.js';
import { remarksText } from '../../text/remarks-text.js';
import { share } from '../../text/figures.js';
import { markup, type Markup, nothing } from '../markup.js';
import { tableOf } from '../tables.js';
import type { PageWords } from '../words.js';

/** A bar of all rows by outcome, and the same as a table. */
export function outcomesSection(
  { outcomes, rows, repeated, remarks, duplicates, suppressed }: RowTally,
  words: PageWords,
): Markup {
  const occurring = OUTCOMES.filter((outcome) => outcomes[outcome] > 0);
  const lines = occurring.map(
    (outcome) =>
      markup`<tr>
        <th scope="row"><span class="mark ${outcome}"></span>${outcome}</th>
        <td class="number">${whole(outcomes[outcome])}</td>
        <td class="number">${share(outcomes[outcome], rows)}</td>
        <td>${GOOD_OUTCOMES.has(outcome) ? '' : words.bad}</td>
      </tr>`,
  );
  const sum = markup`<tr class="sum">
    <th scope="row">all</th>
    <td class="number" id="all-rows">${whole(rows)}</td>
    <td></td>
    <td></td>
  </tr>`;
  return markup`<section aria-labelledby="outcomes">
    <h2 id="outcomes">${words.title}</h2>
    ${rows === 0 ? nothing : bar(outcomes, rows)}
    ${tableOf({
      caption: `Rows by ${words.one}`,
      heads: [words.one, 'rows', 'share', 'remark'],
      lines: [...lines, sum],
      numeric: new Set(['rows', 'share']),
    })}
    ${repeated ? repeatedLines(repeated) : nothing}
    ${duplicates.length > 0 ? markup`<p>${duplicatesText(duplicates)}</p>` : nothing}
    ${remarks.length > 0 ? markup`<p>${remarksText(remarks)}</p>` : nothing}
    ${suppressed.length > 0 ? suppressedTable(suppressed) : nothing}
  </section>`;
}

const suppressedTable = (counts: readonly SuppressedCount[]): Markup =>
  tableOf({
    caption: 'Left out by lists of numbers that must not be called',
    heads: ['list', 'rows', 'phones of other rows'],
    lines: counts.map(
      ({ list, rows, phones }) =>
        markup`<tr>
          <th scope="row">${list}</th>
          <td class="number">${whole(rows)}</td>
          <td class="number">${whole(phones)}</td>
        </tr>`,
    ),
    numeric: new Set(['rows', 'phones of other rows']),
  });

const repeatedLines = (repeated: Repeated): Markup[] =>
  repeatedFacts(repeated).map(
    ([label, rows, note]) =>
      markup`<p class="repeated">${label}: ${whole(rows)} ${rows === 1 ? 'row' : 'rows'} (${note})</p>`,
  );

function bar(outcomes: OutcomeCounts, rows: number): Markup {
  let x = 0;
  const parts = OUTCOMES.filter((outcome) => outcomes[outcome] > 0).map((outcome) => {
    const width = (outcomes[outcome] / rows) * 1000;
    const part = markup`<rect
      class="${outcome}"
      x="${x.toFixed(2)}"
      width="${Math.max(width, 2).toFixed(2)}"
      height="28"
      ><title>${outcome} ${whole(outcomes[outcome])}</title></rect
    >`;
    x += width;
    return part;
  });
  return markup`<svg
    class="bar"
    viewBox="0 0 1000 28"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    ${parts}
  </svg>`;
}

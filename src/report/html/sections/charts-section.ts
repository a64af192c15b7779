import { whole } from '../../../core/text.js';
import type { RunTimeline } from '../../timeline.js';
import type { Chart } from '../charts.js';
import { markup, type Markup, nothing } from '../markup.js';
import { foldedTable } from '../tables.js';

/** The charts of the run over time; the script draws them. */
export const chartsSection = (charts: readonly Chart[], timeline: RunTimeline): Markup =>
  markup`<section aria-labelledby="over-time">
    <h2 id="over-time">Over time</h2>
    <div class="charts">${charts.map(chartFigure)}</div>
    ${limitChanges(timeline)}
  </section>`;

/** How many requests were permitted at a time and how large they were, and why that changed. */
function limitChanges({ changes, left }: RunTimeline): Markup {
  if (changes.length === 0) return nothing;
  const lines = changes.map(
    ({ second, concurrency, batchSize, reason }) =>
      markup`<tr>
        <th scope="row" class="number">${rounded(second)}</th>
        <td class="number">${whole(concurrency)}</td>
        <td class="number">${whole(batchSize)}</td>
        <td>${reason}</td>
      </tr>`,
  );
  const remark =
    left === 0 ? nothing : markup`<p>The first of ${whole(changes.length + left)} changes.</p>`;
  const heads = ['second', 'requests at a time', 'clients in one', 'reason'];
  const numeric = new Set(heads.slice(0, -1));
  return foldedTable('What was tried, and why', { heads, lines, numeric }, remark);
}

function chartFigure({ id, title, remark, labels, seconds, series }: Chart): Markup {
  const lines = seconds.map(
    (second, at) =>
      markup`<tr>
        <th scope="row" class="number">${rounded(second)}</th>
        ${series.map((values) => markup`<td class="number">${rounded(values[at] ?? null)}</td>`)}
      </tr>`,
  );
  const heads = ['second', ...labels];
  return markup`<figure>
    <figcaption>${title}</figcaption>
    <div class="chart" id="${id}" aria-hidden="true"></div>
    <p>${remark}</p>
    ${foldedTable(`${title} as a table`, { heads, lines, numeric: new Set(heads) })}
  </figure>`;
}

const rounded = (value: number | null): string =>
  value === null ? '' : value.toLocaleString('en-US', { maximumFractionDigits: 1 });

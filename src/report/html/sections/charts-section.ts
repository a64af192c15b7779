import { whole } from '../../../core/text/whole.js';
import type { RunTimeline } from '../../timeline.js';
import type { Chart } from '../charts.js';
import { markup, type Markup, nothing } from '../markup.js';
import { foldedTable } from '../tables.js';

/** The charts of the run over time; the script draws them. */
export function chartsSection(
  charts: readonly Chart[] | null,
  timeline: RunTimeline | null,
): Markup {
  const body =
    charts === null
      ? markup`<p>
          There is no record of answers over time: the run has no log (run.log), or nothing was
          sent.
        </p>`
      : markup`<div class="charts">${charts.map(chartFigure)}</div>`;
  return markup`<section aria-labelledby="over-time">
    <h2 id="over-time">Over time</h2>
    ${body}${timeline ? limitChanges(timeline) : nothing}
  </section>`;
}

/** How many requests were permitted at a time and how large they were, and why that changed. */
function limitChanges({ changes, left }: RunTimeline): Markup {
  if (changes.length === 0) return nothing;
  const lines = changes.map(
    ({ second, concurrency, batchSize, reason }) =>
      markup`<tr>
        <th scope="row">${rounded(second)}</th>
        <td>${whole(concurrency)}</td>
        <td>${whole(batchSize)}</td>
        <td>${reason}</td>
      </tr>`,
  );
  const remark =
    left === 0 ? nothing : markup`<p>The first of ${whole(changes.length + left)} changes.</p>`;
  const heads = ['second', 'requests at a time', 'clients in one', 'reason'];
  return foldedTable('What was tried, and why', { heads, lines }, remark);
}

function chartFigure({ id, title, remark, labels, seconds, series }: Chart): Markup {
  const lines = seconds.map(
    (second, at) =>
      markup`<tr>
        <th scope="row">${rounded(second)}</th>
        ${series.map((values) => markup`<td>${rounded(values[at] ?? null)}</td>`)}
      </tr>`,
  );
  return markup`<figure>
    <figcaption>${title}</figcaption>
    <div class="chart" id="${id}" aria-hidden="true"></div>
    <p>${remark}</p>
    ${foldedTable(`${title} as a table`, { heads: ['second', ...labels], lines })}
  </figure>`;
}

const rounded = (value: number | null): string =>
  value === null ? '' : value.toLocaleString('en-US', { maximumFractionDigits: 1 });

import { basename } from 'node:path';
import type { Repeated } from '../../core/duplicates/repeated.js';
import { GOOD_OUTCOMES, OUTCOMES, type OutcomeCounts } from '../../core/outcome.js';
import { whole } from '../../core/text/whole.js';
import { share } from '../text/figures.js';
import { placeParts } from '../text/place-text.js';
import type { ReasonTally } from '../reasons.js';
import { runFacts } from '../run-facts.js';
import type { RunReport } from '../run-report.js';
import { repeatedFacts } from '../repeated-facts.js';
import { isolated, joined, markup, type Markup, nothing } from './markup.js';
import type { RunTimeline } from '../timeline.js';
import type { PageWords } from './words.js';

/** Reasons that the page lists. */
const REASONS = 200;

/** What the run was. */
export const factsSection = (report: RunReport): Markup =>
  markup`<header>
    <h1>Run ${report.run.run}</h1>
    <p>${joined(
      report.run.inputs.map((input) => isolated(basename(input))),
      ', ',
    )}</p>
    <dl>
      ${runFacts(report).map(
        ([label, text]) =>
          markup`<div>
            <dt>${label}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
    </dl>
  </header>`;

/** A bar of all rows by outcome, and the same as a table; `repeated`: of rows that repeat others, in a comparison. */
export function outcomesSection(
  outcomes: OutcomeCounts,
  words: PageWords,
  repeated: Repeated | null,
): Markup {
  const rows = OUTCOMES.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  const there = OUTCOMES.filter((outcome) => outcomes[outcome] > 0);
  const lines = there.map(
    (outcome) =>
      markup`<tr>
        <th scope="row"><span class="mark ${outcome}"></span>${outcome}</th>
        <td>${whole(outcomes[outcome])}</td>
        <td>${share(outcomes[outcome], rows)}</td>
        <td>${GOOD_OUTCOMES.has(outcome) ? '' : words.bad}</td>
      </tr>`,
  );
  return markup`<section aria-labelledby="outcomes">
    <h2 id="outcomes">${words.title}</h2>
    ${rows === 0 ? nothing : bar(outcomes, rows)}
    <table>
      <caption>
        Rows by ${words.one}
      </caption>
      <thead>
        <tr>
          <th scope="col">${words.one}</th>
          <th scope="col">rows</th>
          <th scope="col">share</th>
          <th scope="col">remark</th>
        </tr>
      </thead>
      <tbody>
        ${lines}
        <tr class="sum">
          <th scope="row">all</th>
          <td id="all-rows">${whole(rows)}</td>
          <td></td>
          <td></td>
        </tr>
      </tbody>
    </table>
    ${repeated ? repeatedLines(repeated) : nothing}
  </section>`;
}

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

/** Why rows ended as they did, the most frequent reason first. */
export function reasonsSection({ run }: RunReport, tally: ReasonTally, words: PageWords): Markup {
  const reasons = tally.list();
  const left = reasons.length - REASONS + tally.unlisted;
  const lines = reasons
    .slice(0, REASONS)
    .map(({ rows, outcome, from, column, message, examples }) => {
      const places = examples.map((place) =>
        joined(placeParts(place, run.inputs).map(isolated), ' '),
      );
      const more = rows > examples.length ? ', …' : '';
      return markup`<tr>
        <td>${whole(rows)}</td>
        <td>${outcome}</td>
        <td>${from}</td>
        <td>${column ?? ''}</td>
        <td>${message}</td>
        <td>${joined(places, ', ')}${more}</td>
      </tr>`;
    });
  return markup`<section aria-labelledby="reasons">
    <h2 id="reasons">Reasons</h2>
    ${
      reasons.length === 0
        ? markup`<p>No row has a problem, and the contact center refused none.</p>`
        : markup`<div class="scroll" role="region" aria-label="Table of reasons" tabindex="0">
            <table>
              <caption>
                Reasons by frequency
              </caption>
              <thead>
                <tr>
                  <th scope="col">rows</th>
                  <th scope="col">${words.one}</th>
                  <th scope="col">from</th>
                  <th scope="col">column</th>
                  <th scope="col">reason</th>
                  <th scope="col">example rows</th>
                </tr>
              </thead>
              <tbody>
                ${lines}
              </tbody>
            </table>
          </div>`
    }${left > 0 && reasons.length > REASONS ? markup`<p>${whole(left)} more are in the workbook (--format xlsx).</p>` : nothing}
  </section>`;
}

/** A chart that the script draws, with its points as a table. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  readonly remark: string;
  readonly labels: readonly string[];
  readonly seconds: readonly number[];
  readonly series: readonly (readonly (number | null)[])[];
}

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
    ${body}${timeline ? changesOf(timeline) : nothing}
  </section>`;
}

/** How many requests were permitted at a time and how large they were, and why that changed. */
function changesOf({ changes, left }: RunTimeline): Markup {
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
  return tableBehind('What was tried, and why', heads, lines, remark);
}

/** A table that is shown when it is asked for. */
function tableBehind(
  title: string,
  heads: readonly string[],
  lines: readonly Markup[],
  remark: Markup = nothing,
): Markup {
  return markup`<details>
    <summary>${title}</summary>
    ${remark}
    <div class="scroll" role="region" aria-label="${title}" tabindex="0">
      <table>
        <thead>
          <tr>
            ${heads.map((head) => markup`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${lines}
        </tbody>
      </table>
    </div>
  </details>`;
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
    ${tableBehind(`${title} as a table`, ['second', ...labels], lines)}
  </figure>`;
}

const rounded = (value: number | null): string =>
  value === null ? '' : value.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** The rows that did not end well; the script fills the table. */
export function rowsSection(
  {
    bad,
    held,
    outcomes,
  }: { readonly bad: number; readonly held: number; readonly outcomes: readonly string[] },
  words: PageWords,
): Markup {
  if (bad === 0)
    return markup`<section aria-labelledby="rows">
      <h2 id="rows">${words.rows}</h2>
      <p>There are none.</p>
    </section>`;
  const cut =
    held < bad
      ? markup`<p class="notice">
          The first ${whole(held)} of ${whole(bad)} rows are here; --format csv or xlsx has them
          all.
        </p>`
      : nothing;
  return markup`<section aria-labelledby="rows">
    <h2 id="rows">${words.rows}</h2>
    ${cut}
    <noscript><p>The table of rows needs JavaScript.</p></noscript>
    <form class="controls" role="search" aria-label="Rows">
      <label>Search <input type="search" id="query" autocomplete="off" /></label>
      <label for="outcome">${words.title.replace(/s$/, '')}</label>
      <select id="outcome">
          <option value="">all</option>
          ${outcomes.map((outcome) => markup`<option>${outcome}</option>`)}
      </select>
      <output id="count" aria-live="polite"></output>
    </form>
    <p class="printed" id="printed"></p>
    <div class="scroll" role="region" aria-label="Table of rows" tabindex="0">
      <table id="table">
        <caption>
          Choose a heading to sort by it
        </caption>
        <thead></thead>
        <tbody></tbody>
      </table>
    </div>
    <nav class="controls" aria-label="Pages of rows">
      <button type="button" id="previous">Previous</button><span id="page"></span
      ><button type="button" id="next">Next</button>
    </nav>
  </section>`;
}

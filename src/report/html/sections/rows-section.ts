import { whole } from '../../../core/text/whole.js';
import { markup, type Markup, nothing } from '../markup.js';
import { scrolling } from '../tables.js';
import type { PageWords } from '../words.js';

/** How many rows did not end well, how many of them the page holds, and their outcomes. */
export interface BadRowCounts {
  readonly bad: number;
  readonly held: number;
  readonly outcomes: readonly string[];
}

/** The rows that did not end well; the script fills the table. */
export function rowsSection({ bad, held, outcomes }: BadRowCounts, words: PageWords): Markup {
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
  const table = markup`<table id="table">
    <caption>Choose a heading to sort by it</caption>
    <thead></thead>
    <tbody></tbody>
  </table>`;
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
    ${scrolling('Table of rows', table)}
    <nav class="controls" aria-label="Pages of rows">
      <button type="button" id="previous">Previous</button><span id="page"></span
      ><button type="button" id="next">Next</button>
    </nav>
  </section>`;
}

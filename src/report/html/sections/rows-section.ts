import { whole } from '../../../core/text.js';
import type { Reason } from '../../reasons.js';
import { markup, type Markup, nothing } from '../markup.js';
import type { PageWords } from '../words.js';
import { reasonText } from './reasons-section.js';

/** The rows that did not end well, as far as the page holds them. */
export interface HeldRows {
  /** How many there are, and how many of them the page holds. */
  readonly bad: number;
  readonly held: number;
  readonly outcomes: readonly string[];
  /** Reasons of the rows that are held, as they are listed. */
  readonly reasons: readonly Reason[];
  /** Columns that the mapping chooses, when no row has them since the inputs are gone or were changed. */
  readonly missing: readonly string[];
}

/** The rows that did not end well; the script fills the table. */
export function rowsSection(rows: HeldRows, words: PageWords): Markup {
  if (rows.bad === 0)
    return markup`<section aria-labelledby="rows">
      <h2 id="rows">${words.rows}</h2>
      <p>There are none.</p>
    </section>`;
  return markup`<section aria-labelledby="rows">
    <h2 id="rows" tabindex="-1">${words.rows}</h2>
    ${notices(rows)}
    <noscript><p>The table of rows needs JavaScript.</p></noscript>
    ${controls(rows, words)}
    <p class="printed" id="printed"></p>
    <div class="scroll" role="region" aria-label="Table of rows" tabindex="0">
      <table id="table" class="stacks">
        <caption>Choose a heading to sort by it</caption>
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

const notices = ({ bad, held, missing }: HeldRows): Markup =>
  markup`${
    held < bad
      ? markup`<p class="notice">
          The first ${whole(held)} of ${whole(bad)} rows are here; --format csv or xlsx has them
          all.
        </p>`
      : nothing
  }${
    missing.length > 0
      ? markup`<p class="notice">
          ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not shown: the input is gone,
          or was changed since the run.
        </p>`
      : nothing
  }`;

const controls = ({ outcomes, reasons }: HeldRows, words: PageWords): Markup =>
  markup`<form class="controls" role="search" aria-label="Rows">
    <label>Search <input type="search" id="query" autocomplete="off" /></label>
    <label for="outcome">${words.title.replace(/s$/, '')}</label>
    <select id="outcome">
        <option value="">all</option>
        ${outcomes.map((outcome) => markup`<option>${outcome}</option>`)}
    </select>
    <label for="reason">Reason</label>
    <select id="reason">
        <option value="">all</option>
        ${reasons.map((reason) => markup`<option value="${reason.id}">${reasonText(reason)}</option>`)}
    </select>
    <output id="count" aria-live="polite"></output>
  </form>`;

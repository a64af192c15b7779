import { whole } from '../../../core/text/whole.js';
import type { ReasonTally } from '../../reasons.js';
import type { RunReport } from '../../run-report.js';
import { placeParts } from '../../text/place-text.js';
import { isolated, joined, markup, type Markup, nothing } from '../markup.js';
import { scrolling, tableOf } from '../tables.js';
import type { PageWords } from '../words.js';

/** Reasons that the page lists. */
const MAX_REASONS = 200;

/** Why rows ended as they did, the most frequent reason first. */
export function reasonsSection({ run }: RunReport, tally: ReasonTally, words: PageWords): Markup {
  const reasons = tally.list();
  const left = reasons.length - MAX_REASONS + tally.unlisted;
  const lines = reasons
    .slice(0, MAX_REASONS)
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
  const heads = ['rows', words.one, 'from', 'column', 'reason', 'example rows'];
  return markup`<section aria-labelledby="reasons">
    <h2 id="reasons">Reasons</h2>
    ${
      reasons.length === 0
        ? markup`<p>No row has a problem, and the contact center refused none.</p>`
        : scrolling('Table of reasons', tableOf({ caption: 'Reasons by frequency', heads, lines }))
    }${left > 0 && reasons.length > MAX_REASONS ? markup`<p>${whole(left)} more are in the workbook (--format xlsx).</p>` : nothing}
  </section>`;
}

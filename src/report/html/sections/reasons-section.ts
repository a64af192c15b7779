import { GOOD_OUTCOMES } from '../../../core/outcome.js';
import { whole } from '../../../core/text.js';
import type { Reason, ReasonTally } from '../../reasons.js';
import type { RunReport } from '../../run-report.js';
import { placeParts } from '../../text/place-text.js';
import { isolated, joined, markup, type Markup, nothing } from '../markup.js';
import { cellsOf, tableOf } from '../tables.js';
import type { PageWords } from '../words.js';

/** Reasons that the page lists. */
const MAX_REASONS = 200;

/** The reasons that the page lists: those that need the person before the others, the most frequent first. */
export function listedReasons(tally: ReasonTally): Reason[] {
  const all = tally.list();
  const isGood = ({ outcome }: Reason): boolean => GOOD_OUTCOMES.has(outcome);
  return [...all.filter((reason) => !isGood(reason)), ...all.filter(isGood)].slice(0, MAX_REASONS);
}

/**
 * Why rows ended as they did.
 * @param filtered reasons by which the rows of the page can be filtered
 */
export function reasonsSection(
  { run }: RunReport,
  tally: ReasonTally,
  filtered: ReadonlySet<number>,
  words: PageWords,
): Markup {
  const reasons = listedReasons(tally);
  const left = tally.list().length - reasons.length;
  const heads = ['rows', 'reason', 'values', 'in rows', words.one, 'from'];
  const lines = reasons.map((reason) => {
    const { rows, outcome, from, examples } = reason;
    const places = examples.map((place) =>
      joined(placeParts(place, run.inputs).map(isolated), ' '),
    );
    const more = rows > examples.length ? ', …' : '';
    return cellsOf(heads, [
      markup`${whole(rows)}`,
      filtered.has(reason.id) ? button(reason) : markup`${reasonText(reason)}`,
      valuesOf(reason),
      markup`${joined(places, ', ')}${more}`,
      markup`${outcome}`,
      markup`${from}`,
    ]);
  });
  return markup`<section aria-labelledby="reasons">
    <h2 id="reasons">Reasons</h2>
    ${
      reasons.length === 0
        ? markup`<p>No row has a problem, and the contact center refused none.</p>`
        : tableOf({
            ...{ heads, lines, stacks: true, numeric: new Set(['rows']) },
            caption: filtered.size > 0 ? 'Choose a reason to see its rows' : 'Reasons by frequency',
          })
    }${left > 0 ? markup`<p>${whole(left + tally.unlisted)} more are in the workbook (--format xlsx).</p>` : nothing}
  </section>`;
}

/** A reason as one text. */
export const reasonText = ({ column, message }: Reason): string =>
  column === null ? message : `${column}: ${message}`;

const button = (reason: Reason): Markup =>
  markup`<button type="button" class="reason" data-reason="${reason.id}" aria-pressed="false">
    ${reasonText(reason)}
  </button>`;

/** The different values of the examples. */
function valuesOf({ examples }: Reason): Markup {
  const values = new Set(examples.map(({ value }) => value));
  values.delete(null);
  return joined(
    [...values].map((value) => markup`<q>${isolated(value ?? '')}</q>`),
    ', ',
  );
}

import type { Repeated } from '../../core/duplicates.js';
import { GOOD_OUTCOMES, OUTCOMES, type OutcomeCounts } from '../../core/outcome.js';
import type { SuppressedCount } from '../../core/problem.js';
import { counted, whole } from '../../core/text.js';
import { repeatedFacts, type RowTally, type RunReport } from '../rows.js';
import { columnMessage, duplicatesText, remarksText, share, placeParts } from '../text/words.js';
import type { PageWords } from './headline.js';
import type { Reason, ReasonTally } from '../reasons.js';

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
    ${paragraph(duplicatesText(duplicates.list()))}
    ${paragraph(remarksText(remarks.list()))}
    ${suppressedTable(suppressed.list())}
  </section>`;
}

const paragraph = (text: string): Markup => (text === '' ? nothing : markup`<p>${text}</p>`);

function suppressedTable(counts: readonly SuppressedCount[]): Markup {
  if (counts.length === 0) return nothing;
  return tableOf({
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
}

const repeatedLines = (repeated: Repeated): Markup[] =>
  repeatedFacts(repeated).map(
    ([label, rows, note]) =>
      markup`<p class="repeated">${label}: ${counted(rows, 'row')} (${note})</p>`,
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
      filtered.has(reason.id) ? button(reason) : markup`${columnMessage(reason)}`,
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

const button = (reason: Reason): Markup =>
  markup`<button type="button" class="reason" data-reason="${reason.id}" aria-pressed="false">
    ${columnMessage(reason)}
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

/** A table of the page. */
interface PageTable {
  readonly caption?: string;
  readonly heads: readonly string[];
  readonly lines: readonly Markup[];
  /** Whether each line becomes a card on a narrow screen; its cells are those of `cellsOf`. @default false */
  readonly stacks?: boolean;
  /** Heads of the columns that hold numbers. @default none */
  readonly numeric?: ReadonlySet<string>;
}

export const tableOf = ({ caption, heads, lines, stacks, numeric }: PageTable): Markup =>
  markup`<table class="${stacks ? 'stacks' : ''}">
    ${caption === undefined ? nothing : markup`<caption>${caption}</caption>`}
    <thead>
      <tr>
        ${heads.map((head) => markup`<th scope="col" class="${numeric?.has(head) ? 'number' : ''}">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${lines}
    </tbody>
  </table>`;

/** A line of a table that stacks; the first column holds numbers. An empty cell has no content and takes no place. */
const cellsOf = (heads: readonly string[], cells: readonly Markup[]): Markup =>
  markup`<tr>${cells.map((cell, at) => labelled(heads[at] ?? '', cell, at === 0))}</tr>`;

const labelled = (head: string, cell: Markup, isNumber: boolean): Markup =>
  markup`<td data-label="${head}" class="${isNumber ? 'number' : ''}">${
    cell.text === '' ? nothing : markup`<span>${cell}</span>`
  }</td>`;

/** A wide table scrolls on its own, by the keyboard too, so that the page does not. */
const scrolling = (label: string, table: Markup): Markup =>
  markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`;

/** A table that is shown on request. */
export const foldedTable = (title: string, table: PageTable, remark: Markup = nothing): Markup =>
  markup`<details>
    <summary>${title}</summary>
    ${remark} ${scrolling(title, tableOf(table))}
  </details>`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML. Only this file makes one, so that a text is never taken for markup. */
export class Markup {
  constructor(readonly text: string) {}
}

type Part = Markup | string | number | readonly Markup[];

/** HTML from a template; the values in it are escaped, unless they are markup themselves. */
export function markup(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(
    pieces.map((piece, at) => piece + (at < parts.length ? textOf(parts[at] ?? '') : '')).join(''),
  );
}

/** Markup from our own source, unescaped. */
export const trusted = (text: string): Markup => new Markup(text);

/** A name whose writing direction does not change that of the text around it. */
export const isolated = (name: string): Markup => markup`<bdi>${name}</bdi>`;

/** Markup one after the other, with a text such as `, ` between. */
export const joined = (parts: readonly Markup[], between: string): Markup =>
  new Markup(parts.map(({ text }) => text).join(textOf(between)));

/** No markup at all. */
export const nothing = new Markup('');

/** JSON text for the page's script, as the element of id `data`. No text in it can end the element. */
export const embedded = (json: string): Markup =>
  new Markup(
    `<script type="application/json" id="data">${json.replaceAll('<', '\\u003c')}</script>`,
  );

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

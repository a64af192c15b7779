import { markup, type Markup, nothing } from './markup.js';

/** A table of the page. */
export interface PageTable {
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
export const cellsOf = (heads: readonly string[], cells: readonly Markup[]): Markup =>
  markup`<tr>${cells.map((cell, at) => labelled(heads[at] ?? '', cell, at === 0))}</tr>`;

const labelled = (head: string, cell: Markup, isNumber: boolean): Markup =>
  markup`<td data-label="${head}" class="${isNumber ? 'number' : ''}">${
    cell.text === '' ? nothing : markup`<span>${cell}</span>`
  }</td>`;

/** A wide table scrolls on its own, by the keyboard too, so that the page does not. */
export const scrolling = (label: string, table: Markup): Markup =>
  markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`;

/** A table that is shown on request. */
export const foldedTable = (title: string, table: PageTable, remark: Markup = nothing): Markup =>
  markup`<details>
    <summary>${title}</summary>
    ${remark} ${scrolling(title, tableOf(table))}
  </details>`;

import { markup, type Markup, nothing } from './markup.js';

/** A table of the page. */
export interface PageTable {
  readonly caption?: string;
  readonly heads: readonly string[];
  readonly lines: readonly Markup[];
}

export const tableOf = ({ caption, heads, lines }: PageTable): Markup =>
  markup`<table>
    ${caption === undefined ? nothing : markup`<caption>${caption}</caption>`}
    <thead>
      <tr>
        ${heads.map((head) => markup`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${lines}
    </tbody>
  </table>`;

/** A wide table scrolls on its own, by the keyboard too, so that the page does not. */
export const scrolling = (label: string, table: Markup): Markup =>
  markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${table}</div>`;

/** A table that is shown on request. */
export const foldedTable = (title: string, table: PageTable, remark: Markup = nothing): Markup =>
  markup`<details>
    <summary>${title}</summary>
    ${remark} ${scrolling(title, tableOf(table))}
  </details>`;

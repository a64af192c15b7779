import type { Cell } from '../../core/table.js';
import { TEXT_STYLE } from './workbook-parts.js';
import { xmlText } from './xlsx-text.js';

/** Letters of the first columns, computed as far as needed. */
const letters: string[] = [];

/** Letters of a column, from 0. */
export function lettersOf(column: number): string {
  for (let next = letters.length; next <= column; next++) {
    const before = Math.floor(next / 26) - 1;
    letters.push((letters[before] ?? '') + String.fromCharCode(65 + (next % 26)));
  }
  return letters[column] ?? '';
}

/** White space that programs drop unless `xml:space` preserves it. */
const SPACED = /^\s|\s$/;

/** A row of texts and numbers as a sheet stores it; `number` from 1. Empty cells take no space. */
export function sheetRow(cells: readonly (Cell | number)[], number: number): string {
  let xml = `<row r="${number}">`;
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column];
    if (cell === null || cell === undefined || cell === '') continue;
    if (typeof cell === 'number') {
      xml += `<c r="${lettersOf(column)}${number}"><v>${cell}</v></c>`;
      continue;
    }
    xml += `<c r="${lettersOf(column)}${number}" s="${TEXT_STYLE}" t="inlineStr"><is>${item(cell)}</is></c>`;
  }
  return `${xml}</row>`;
}

function item(cell: string): string {
  const space = SPACED.test(cell) ? ' xml:space="preserve"' : '';
  const text = `<t${space}>${xmlText(cell)}</t>`;
  // Some programs decode escapes in runs only.
  return text.includes('_x') ? `<r>${text}</r>` : text;
}

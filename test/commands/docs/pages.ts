import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../kit/cardline.js';
import { tablesIn } from '../../kit/tables.js';

/** A page of the documentation. */
export interface Page {
  /** Path from the root of the repository. */
  readonly name: string;
  readonly text: string;
}

/** A fenced block. */
export interface Fence {
  /** What the HTML comment above it says, such as `mapping`; empty without one. */
  readonly mark: string;
  readonly code: string;
  /** Line of the page on which it begins, from 1. */
  readonly line: number;
}

/** A table: its header, and its rows by the header's cells. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const BESIDES = tablesIn(import.meta.dirname, 'pages.yaml') as string[];

export const pages: readonly Page[] = [
  ...BESIDES,
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

/** @throws Error when there is no such page */
export function page(name: string): Page {
  const found = pages.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no page ${name}`);
  return found;
}

const FENCE = /(?:^<!-- ([^\n]*) -->\n\n)?^```(\w*)\n(.*?)^```$/gms;

/** The fenced blocks of a page in this language. */
export function fencesOf({ text }: Page, language: string): Fence[] {
  return [...text.matchAll(FENCE)]
    .filter(([, , written]) => written === language)
    .map(({ 1: mark = '', 3: code = '', index }) => ({
      mark,
      code,
      line: text.slice(0, index).split('\n').length,
    }));
}

const MARKED_TABLE = /^<!-- ([^\n]*) -->\n\n((?:\|.*\n)+)/gm;

/** The tables of a page below a comment with this mark. */
export function markedTables({ text }: Page, mark: string): Table[] {
  return [...text.matchAll(MARKED_TABLE)]
    .filter(([, written]) => written === mark)
    .map(([, , lines = '']) => tableOf(lines));
}

/** The table of a page whose first column is called like this. @throws Error when there is none */
export function tableBeginning({ name, text }: Page, first: string): Table {
  for (const [lines] of text.matchAll(/(?:^\|.*\n)+/gm)) {
    const table = tableOf(lines);
    if (table.columns[0] === first) return table;
  }
  throw new Error(`${name} has no table that begins with ${first}`);
}

/** The texts in backticks of a column, all of them. */
export function codesIn({ rows }: Table, column: number): string[] {
  return rows.flatMap((row) =>
    [...(row[column] ?? '').matchAll(/`([^`]*)`/g)].map(([, code = '']) => code),
  );
}

function tableOf(lines: string): Table {
  const [columns = [], , ...rows] = lines.trimEnd().split('\n').map(cellsOf);
  return { columns, rows };
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

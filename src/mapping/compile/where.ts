import { headerName, comparedWord, type Cell } from '../../core/table.js';
import type { Path } from '../../config/document.js';
import type { Where } from '../schema/value.js';
import { compilePattern } from '../transforms/registry.js';
import { InvalidValue } from '../transforms/step.js';
import type { CompileContext } from './context.js';

/** A condition on rows. */
export interface Filter {
  passes(cells: readonly Cell[]): boolean;
  /** Column of a condition on one column alone. */
  readonly column: string | null;
  readonly position: number;
  /** The problem that is reported of a row that does not pass. */
  readonly mistake: InvalidValue;
}

type Test = (cells: readonly Cell[]) => boolean;

/** Compiles the `where` of a mapping. */
export function compileWhere(where: Where, path: Path, context: CompileContext): Filter {
  const { column } = where;
  return {
    passes: compileTest(where, path, context),
    column: column === undefined ? null : headerName(column),
    position: column === undefined ? -1 : context.column(column, [...path, 'column']),
    mistake: new InvalidValue(
      'filtered',
      `Left out by the mapping: it takes rows where ${describe(where)}.`,
    ),
  };
}

function compileTest(where: Where, path: Path, context: CompileContext): Test {
  const inner = (conditions: readonly Where[], key: string): Test[] =>
    conditions.map((condition, index) => compileTest(condition, [...path, key, index], context));
  if (where.all) {
    const tests = inner(where.all, 'all');
    return (cells) => tests.every((test) => test(cells));
  }
  if (where.any) {
    const tests = inner(where.any, 'any');
    return (cells) => tests.some((test) => test(cells));
  }
  if (where.not) {
    const test = compileTest(where.not, [...path, 'not'], context);
    return (cells) => !test(cells);
  }
  return columnTest(where, path, context);
}

function columnTest(where: Where, path: Path, context: CompileContext): Test {
  const at = context.column(where.column ?? '', [...path, 'column']);
  const tests = textTests(where, path, context);
  const [only] = tests;
  if (only && tests.length === 1) return (cells) => only(cells[at]?.trim() ?? '');
  return (cells) => {
    const text = cells[at]?.trim() ?? '';
    return tests.every((test) => test(text));
  };
}

function textTests(
  where: Where,
  path: Path,
  context: CompileContext,
): ((text: string) => boolean)[] {
  const tests: ((text: string) => boolean)[] = [];
  if (where.in) {
    const words = wordsOf(where.in);
    tests.push((text) => words.has(text));
  }
  if (where.notIn) {
    const words = wordsOf(where.notIn);
    tests.push((text) => !words.has(text));
  }
  if (where.equals !== undefined) {
    const word = comparedWord(where.equals);
    tests.push((text) => text === word);
  }
  if (where.notEquals !== undefined) {
    const word = comparedWord(where.notEquals);
    tests.push((text) => text !== word);
  }
  if (where.matches !== undefined) {
    const pattern = compilePattern(where.matches, [...path, 'matches'], context);
    tests.push((text) => pattern.test(text));
  }
  if (where.empty !== undefined) {
    const { empty } = where;
    tests.push((text) => (text === '') === empty);
  }
  return tests;
}

function wordsOf(words: readonly (string | number | boolean)[]): Set<string> {
  return new Set(words.map(comparedWord));
}

/** The condition in words. */
function describe(where: Where): string {
  if (where.all) return where.all.map(describe).join(' and ');
  if (where.any) return `(${where.any.map(describe).join(' or ')})`;
  if (where.not) return `not (${describe(where.not)})`;
  const says: string[] = [];
  if (where.in) says.push(`is one of ${where.in.join(', ')}`);
  if (where.notIn) says.push(`is none of ${where.notIn.join(', ')}`);
  if (where.equals !== undefined) says.push(`is ${where.equals}`);
  if (where.notEquals !== undefined) says.push(`is not ${where.notEquals}`);
  if (where.matches !== undefined) says.push(`matches ${where.matches}`);
  if (where.empty !== undefined) says.push(where.empty ? 'is empty' : 'is not empty');
  return `"${where.column ?? ''}" ${says.join(' and ')}`;
}

import { z } from 'zod';
import type { Operation } from '../contract/operation.js';
import { MESSAGES } from '../contract/shapes.js';
import { isRecord } from './validate-value.js';
import { invalid } from './refusal.js';

/** What came in with a request, before it is checked. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const IDENTIFIERS = ['syncIdentifiers', 'clientSyncIdentifiers', 'clientIdentifiers'];

/**
 * The check of an operation's input, compiled once.
 * @param frame stands in for the operation's body where clients are validated one by one
 * @throws Refusal (from the check) that lists every mistake
 */
export function inputCheck(
  operation: Operation,
  frame: z.ZodType | undefined,
): (raw: RawInput) => unknown {
  const { params, query, fixedQuery } = operation;
  const body = frame ?? operation.body;
  const schema = z.object({
    ...(params && { params: z.preprocess(integersOf, params) }),
    // The parameters of a query with known names are all integers; identifiers stay text.
    ...(query && { query: query instanceof z.ZodObject ? z.preprocess(integersOf, query) : query }),
    ...(body && { body }),
  });
  return (raw) => {
    needFixedQuery(raw.query, fixedQuery);
    if (body && !isRecord(raw.body)) throw invalid('The request body must be a JSON object.');
    const checked = schema.safeParse(raw);
    if (checked.success) return checked.data;
    const mistakes = checked.error.issues.map((issue) => mistakeOf(issue, raw));
    throw invalid([...new Set(mistakes)].join(' '));
  };
}

function needFixedQuery(query: unknown, fixed: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(fixed)) {
    if (!isRecord(query) || query[name] !== value) {
      throw invalid(`Query parameter ${name}=${value} is required.`);
    }
  }
}

/** Path and query parameters are text; those that are integers become numbers, the rest is left to be refused. */
function integersOf(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const numbers = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value,
  ]);
  return Object.fromEntries(numbers);
}

function mistakeOf(issue: z.core.$ZodIssue, raw: RawInput): string {
  const [part, ...path] = issue.path.map(String);
  const value = valueAt(raw, issue.path);
  if (isIdentifierMistake(part, path, value)) return MESSAGES.identifiersMissing;
  const name = path.join('.');
  if (issue.code === 'custom') return `Field [${name}] ${issue.message}.`;
  if (value === undefined || value === null) return MESSAGES.fieldRequired(name);
  return `Field [${name}]: ${issue.message}.`;
}

/** Whether the mistake lies in an identifier, or in there being none. */
function isIdentifierMistake(
  part: string | undefined,
  path: readonly string[],
  value: unknown,
): boolean {
  if (part === 'query') return path.length === 1 && !['limit', 'offset'].includes(path[0] ?? '');
  if (!IDENTIFIERS.includes(path[0] ?? '')) return false;
  return path.length > 1 || isRecord(value);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

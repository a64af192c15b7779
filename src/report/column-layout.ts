import { MODE_TRAITS } from '../core/mode.js';
import {
  COLUMNS,
  type ColumnPart,
  every,
  everywhere,
  type Layout,
  type ReportColumn,
  type ReportedRun,
  type ReportKind,
  reportKind,
} from './columns.js';

/** Columns from left to right. On the page, what a person looks for comes first. */
const ORDERS: Readonly<Record<Layout, Readonly<Record<ReportKind, readonly ColumnPart[]>>>> = {
  table: both(['row', 'sheet', 'uuid', 'identifiers', 'outcome', 'result', 'problems', 'file']),
  page: {
    import: ['row', 'file', 'sheet', 'identifiers', 'uuid', 'outcome', 'result', 'problems'],
    comparison: ['row', 'file', 'sheet', 'identifiers', 'outcome', 'result', 'problems', 'uuid'],
  },
  json: both([
    ...(['ordinal', 'file', 'sheet', 'row', 'uuid', 'identifiers'] as const),
    ...(['outcome', 'result', 'problems'] as const),
  ]),
};

function both(parts: readonly ColumnPart[]): Record<ReportKind, readonly ColumnPart[]> {
  return { import: parts, comparison: parts };
}

/** The columns of the report of a run in one layout, from left to right. */
export function reportColumns(layout: Layout, run: ReportedRun): ReportColumn[] {
  const kind = reportKind(run);
  const traits = {
    kind,
    changes: MODE_TRAITS[run.mode].changes,
    severalInputs: run.inputs.length > 1,
  };
  return ORDERS[layout][kind].flatMap((part) => [
    ...(part === 'identifiers' && layout !== 'json' ? identifierColumns(layout, run) : []),
    ...COLUMNS.filter(
      (column) => column.part === part && (column.layouts[layout]?.(traits) ?? false),
    ),
  ]);
}

function identifierColumns(layout: Layout, run: ReportedRun): ReportColumn[] {
  const names = layout === 'table' ? distinctNames(run) : run.identifierNames;
  return names.map((name, at) => ({
    name,
    type: 'identifier',
    part: 'identifiers',
    layouts: everywhere(every),
    cell: ({ identifiers }) => identifiers[at] ?? null,
  }));
}

/**
 * Names of the identifiers as columns: a name that another column has gets `id:` before it. Columns that only some runs of
 * the kind have count too, so that a name does not depend on the number of inputs.
 */
function distinctNames(run: ReportedRun): string[] {
  const widest = { kind: reportKind(run), changes: true, severalInputs: true };
  const taken = new Set(
    COLUMNS.filter(({ layouts }) => layouts.table?.(widest)).map(({ name }) => name),
  );
  return run.identifierNames.map((name) => {
    let distinct = name;
    while (taken.has(distinct)) distinct = `id:${distinct}`;
    taken.add(distinct);
    return distinct;
  });
}

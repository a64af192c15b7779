import {
  COLUMNS,
  type ColumnPart,
  type Layout,
  type ReportColumn,
  type ReportedRun,
  reportKind,
} from './columns.js';

/** Columns from left to right. On the page, what a person looks for comes first. */
const ORDERS: Readonly<Record<Layout, readonly ColumnPart[]>> = {
  table: [
    ...(['row', 'sheet', 'uuid', 'identifiers', 'outcome', 'result', 'problems'] as const),
    ...(['file', 'run'] as const),
  ],
  page: ['row', 'file', 'sheet', 'identifiers', 'outcome', 'result', 'problems', 'uuid'],
};

/** The columns of the report of a run in one layout, from left to right. */
export function reportColumns(layout: Layout, run: ReportedRun): ReportColumn[] {
  const traits = { kind: reportKind(run), severalInputs: run.inputs.length > 1 };
  const isIn = ({ layouts }: ReportColumn): boolean =>
    layout === 'page' ? (layouts.page?.(traits) ?? false) : (layouts[layout] ?? false);
  return ORDERS[layout].flatMap((part) => [
    ...(part === 'identifiers' ? identifierColumns(layout, run) : []),
    ...COLUMNS.filter((column) => column.part === part && isIn(column)),
  ]);
}

function identifierColumns(layout: Layout, run: ReportedRun): ReportColumn[] {
  const names = layout === 'table' ? distinctNames(run) : run.identifierNames;
  return names.map((name, at) => ({
    name,
    type: 'identifier',
    part: 'identifiers',
    layouts: {},
    cell: ({ identifiers }) => identifiers[at] ?? null,
  }));
}

/** Names of the identifiers as columns: a name that another column has gets `id:` before it. */
function distinctNames({ identifierNames }: ReportedRun): string[] {
  const taken = new Set(COLUMNS.filter(({ layouts }) => layouts.table).map(({ name }) => name));
  return identifierNames.map((name) => {
    let distinct = name;
    while (taken.has(distinct)) distinct = `id:${distinct}`;
    taken.add(distinct);
    return distinct;
  });
}

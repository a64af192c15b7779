import {
  type ColumnSuggestion,
  type SuggestTableRequest,
  columnSuggestion,
  type ReadTable,
  readTable,
} from './read-table.js';
import { parsePlaced } from '../config/document.js';
import type { ProblemCount } from '../core/problem.js';
import type { Installation } from '../installation/installation.js';
import { compileMapping } from '../mapping/compile.js';
import { loadedMapping } from '../mapping/load.js';
import { mapRow } from '../mapping/map-row.js';
import { checkMapping } from '../mapping/mapping.js';
import { traitsOf } from '../source/formats.js';
import { decisionsOf, draftOf, toFillIn } from './draft.js';
import { mappingText } from './mapping-text.js';
import type { Table, TableSource } from './read-file.js';

/** What came of the first rows with the drafted mapping: what a check of them says. */
export interface Trial {
  readonly rows: number;
  readonly clients: number;
  readonly rejected: number;
  /** Totals below the table are among them, and repeated rows where the mode skips these. */
  readonly skipped: number;
  /** Rows that would be clients and have the identifiers of an earlier one. */
  readonly repeated: number;
  readonly problems: readonly ProblemCount[];
}

export interface Suggestion {
  readonly source: {
    readonly encoding: string | null;
    readonly delimiter: string | null;
    readonly sheet: string | null;
    readonly headerRow: number | 'none';
    /** Sheets with rows that were not read. */
    readonly otherSheets: readonly string[];
    /** The row at which the mapping stops reading; `null` where it reads to the end. */
    readonly until: { readonly column: string; readonly startsWith: string } | null;
  };
  readonly columns: readonly ColumnSuggestion[];
  /** The mapping as YAML, with comments. */
  readonly mapping: string;
  /** Required card fields and synchronization identifiers without a column. */
  readonly missing: readonly string[];
  /** What has to be filled in before the mapping can be used, by its place in it. */
  readonly toFillIn: readonly string[];
  /** What a person should decide, one sentence each. */
  readonly decisions: readonly string[];
  /** `null` where the draft cannot be tried, since something that it needs is missing. */
  readonly trial: Trial | null;
}

/**
 * Drafts a mapping for a table: what its columns mean, by their names and by what they hold, and the YAML for it. Pure:
 * reads no file.
 */
export function suggestTable(
  request: SuggestTableRequest,
  read: ReadTable = readTable(request),
): Suggestion {
  const { source, installation, mode = 'create' } = request;
  const { table, totals, assigned } = read;
  const below = request.table.first.length - table.first.length;
  const draft = draftOf({ read, source, installation, mode });
  const yaml = mappingText(draft);
  const open = toFillIn(draft);
  return {
    source: {
      encoding: source.info?.encoding ?? null,
      delimiter: source.info?.delimiter ?? null,
      sheet: source.sheet ?? null,
      headerRow: source.headerRow,
      otherSheets: source.info?.otherSheets ?? [],
      until: totals && { column: totals.column, startsWith: totals.startsWith },
    },
    columns: assigned.map(columnSuggestion),
    mapping: yaml,
    missing: draft.missing,
    toFillIn: open,
    decisions: decisionsOf(draft),
    trial: open.length > 0 ? null : tryMapping(yaml, table, installation, below, source),
  };
}

/** Maps the first rows with a drafted mapping, as an import would. `below`: how many more stand below the table. */
function tryMapping(
  yaml: string,
  { headers, first }: Table,
  installation: Pick<Installation, 'card' | 'clientRoles'>,
  below: number,
  { info }: TableSource,
): Trial {
  const checked = checkMapping(parsePlaced('the drafted mapping', yaml));
  const mapping = loadedMapping(checked, new Map());
  const compiled = compileMapping({
    mapping,
    card: installation.card,
    clientRoles: installation.clientRoles,
    headers,
  });
  const width = info && traitsOf(info.format).storesEmptyCells ? headers.length : undefined;
  const columns = { headers, width, delimiter: info?.delimiter };
  const counts = { client: 0, rejected: 0, skipped: 0 };
  const problems = new Map<string, ProblemCount>();
  const seen = new Set<string>();
  for (const each of first) {
    const mapped = mapRow(each, columns, compiled);
    counts[mapped.status]++;
    if (mapped.status === 'client') seen.add(JSON.stringify(mapped.identifiers));
    for (const { column, code, message } of mapped.status === 'rejected' ? mapped.problems : []) {
      const key = JSON.stringify([column, code]);
      const known = problems.get(key);
      problems.set(
        key,
        known
          ? { ...known, count: known.count + 1 }
          : { column, code, message, count: 1, firstRow: each.row },
      );
    }
  }
  const { client, rejected, skipped } = counts;
  const sorted = [...problems.values()].sort((a, b) => b.count - a.count);
  const repeated = client - seen.size;
  const duplicates = mapping.duplicates.by.includes('sync') ? repeated : 0;
  return {
    ...{ rows: first.length + below, clients: client - duplicates, rejected, repeated },
    skipped: skipped + below + duplicates,
    problems: sorted,
  };
}

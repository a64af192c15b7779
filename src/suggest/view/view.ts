import { headerName } from '../../core/cell-text.js';
import { ConfigurationError, type ConfigMistake } from '../../core/errors.js';
import { MODES, type Mode } from '../../core/mode.js';
import { type PlacedDocument, parsePlaced } from '../../config/document.js';
import type { Scalar } from '../../config/scalar.js';
import type { Installation } from '../../installation/installation.js';
import { checkMapping } from '../../mapping/check-mapping.js';
import { compileMapping } from '../../mapping/compile.js';
import { isRecord } from '../../mapping/edit/record.js';
import { isBlankMapping } from '../../mapping/edit/edit-mapping.js';
import { type WrittenUse, writtenUses } from '../../mapping/edit/uses.js';
import { loadedMapping } from '../../mapping/load.js';
import type { Table as LookupTable } from '../../mapping/table.js';
import { blank } from '../../mapping/schema/value.js';
import type { TryContext } from '../../mapping/try-value.js';
import type { Assigned } from '../choose/assign.js';
import { columnSuggestion, type ReadTable } from '../suggest.js';
import { cardViews } from './cards.js';
import type { ColumnsView, ColumnView } from './columns-view.js';
import { keysFor } from './keys.js';
import { missingTargets } from './missing.js';
import { targetChoices } from './targets.js';
import { mostFrequent, useView } from './use.js';

export interface ColumnsViewRequest {
  /** The text of the mapping: drafted, edited or typed, whole or not. */
  readonly yaml: string;
  /** The file, read once by `readTable`. */
  readonly read: ReadTable;
  readonly installation: Pick<Installation, 'card' | 'clientRoles'> &
    Partial<Pick<Installation, 'numberPlan'>>;
  /** Tables that the mapping looks up, by their names in it. Default: none; such values are not tried. */
  readonly tables?: ReadonlyMap<string, LookupTable> | undefined;
  /** What mistakes call the text. @default 'the mapping' */
  readonly file?: string | undefined;
}

/** A mapping over the columns of a file: what each becomes, how many of its cells are good, and what is missing. Pure. */
export function columnsView(request: ColumnsViewRequest): ColumnsView {
  const { yaml, read, installation, tables = new Map(), file = 'the mapping' } = request;
  const found = documentOf(file, yaml);
  if ('mistakes' in found) return { kind: 'broken', mistakes: found.mistakes };
  const { document } = found;
  const uses = writtenUses(document.value);
  const mode = modeOf(document.value);
  const { table } = read;
  const context: TryContext = {
    ...{ document, tables, installation, headers: table.headers, rows: table.sample },
    blank: blankOf(document.value),
  };
  const targets = targetChoices(installation, mode, uses);
  const filled = new Set(uses.map(({ target }) => target));
  return {
    kind: 'columns',
    columns: read.assigned.map((assigned) => columnView(assigned, uses, request, context)),
    missing: missingTargets(targets, filled, read, installation),
    targets,
    ...(isBlankMapping(yaml) ? NOTHING_TRIED : triedMapping(request, document, tables)),
    sampled: table.sample.length,
    rows: table.rows ?? null,
    beginning: table.beginning ?? null,
  };
}

function documentOf(
  file: string,
  yaml: string,
): { document: PlacedDocument } | { mistakes: readonly ConfigMistake[] } {
  try {
    return { document: parsePlaced(file, isBlankMapping(yaml) ? '{}' : yaml) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { mistakes: error.mistakes };
    throw error;
  }
}

type Tried = Pick<Extract<ColumnsView, { kind: 'columns' }>, 'mistakes' | 'cards'>;
const NOTHING_TRIED: Tried = { mistakes: [], cards: [] };

/** What a check would find as far as no row is needed for it, else what comes of the first rows. */
function triedMapping(
  { read: { table }, installation }: ColumnsViewRequest,
  document: PlacedDocument,
  tables: ReadonlyMap<string, LookupTable>,
): Tried {
  const { card, clientRoles, numberPlan } = installation;
  try {
    const mapping = loadedMapping(checkMapping(document), tables);
    const compiled = compileMapping({ mapping, card, clientRoles, headers: table.headers });
    return { mistakes: [], cards: cardViews(compiled, table.first, numberPlan !== undefined) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { mistakes: error.mistakes, cards: [] };
    throw error;
  }
}

function modeOf(value: unknown): Mode {
  const written = isRecord(value) ? value['mode'] : undefined;
  return MODES.find((mode) => mode === written) ?? 'create';
}

function blankOf(value: unknown): readonly Scalar[] {
  return blank.safeParse(isRecord(value) ? value['blank'] : undefined).data ?? [];
}

/** Values up to which they are shown with their counts; of more, the first ones. */
const FEW = 12;
const EXAMPLES = 3;

function columnView(
  assigned: Assigned,
  uses: readonly WrittenUse[],
  { read, installation }: ColumnsViewRequest,
  context: TryContext,
): ColumnView {
  const { column } = assigned;
  const { index, header, cells } = column;
  const { target, score, why, phoneType = null } = columnSuggestion(assigned);
  const own = uses.filter(({ columns }) => columns.includes(headerName(header)));
  const { values } = cells;
  const shown = values.size <= FEW ? values : new Map([...values].slice(0, EXAMPLES));
  return {
    ...{ index, header, filled: cells.filled, distinct: values.size },
    examples: values.size <= FEW ? mostFrequent(shown, FEW) : countsOf(shown),
    uses: own.map((use) => useView(use, column, context)),
    suggested: {
      ...{ target, phoneType, score, why },
      keys: target === null ? {} : keysFor(column, target, read, installation),
    },
  };
}

const countsOf = (values: ReadonlyMap<string, number>) =>
  [...values].map(([value, count]) => ({ value, count }));

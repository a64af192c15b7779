import {
  type MappedColumns,
  mappedColumns,
  type MappedColumnsRequest,
} from '../../../app/columns/mapped-columns.js';
import { phoneCountries } from '../../../app/columns/phone-countries.js';
import { isReadable } from '../../../app/mappings/edit-text.js';
import { savedMappings } from '../../../app/mappings/saved-mappings.js';
import type { ConfigMistake } from '../../../core/errors.js';
import type { ColumnsView } from '../../../suggest/view/columns-view.js';
import type { Card, Columns, Missing } from '../../shared/columns.js';
import type { StoredList } from '../lists/lists.js';
import { mappingPathOf, readableMapping, readMapping } from '../lists/mapping.js';
import { noInstallation } from '../refusal.js';
import { savedFolder } from '../lists/saved-folder.js';
import { shownList } from '../lists/shown-list.js';
import type { Site } from '../site.js';
import { maskedColumns } from './masked-columns.js';

/** What looking at the columns of a list needs, with a text of its mapping. @throws Refusal without an installation */
export function requestFor(yaml: string, list: StoredList, site: Site): MappedColumnsRequest {
  const { center, ledger } = site.settings;
  if (!center) throw noInstallation();
  return {
    ...{ yaml, file: list.file, name: list.name, ledger, tables: site.tables },
    mapping: mappingPathOf(site, list),
    installation: center.installation,
  };
}

/** The step Columns of a list as it is now. */
export async function shownColumns(id: string, site: Site): Promise<Columns> {
  const { text, revision } = await readMapping(site, await site.lists.get(id));
  const list = await site.lists.get(id);
  const isBroken = !isReadable(text);
  const { center } = site.settings;
  if (!center) throw noInstallation();
  const folder = savedFolder(center, site.settings);
  const request = requestFor(isBroken ? await readableMapping(site, list) : text, list, site);
  const { view, mode, sheet } = await mappedColumns(request);
  const broken = isBroken ? await mappedColumns({ ...request, yaml: text }) : undefined;
  const shown: Columns = {
    ...{ list: shownList(list, site), revision, yaml: text, isBroken, mode, sheet },
    ...tableOf(view),
    mistakes: (broken?.view ?? view).mistakes.map(shownMistake),
    isDraft: list.draft === revision,
    saved: await savedMappings(folder),
  };
  return site.settings.mask ? maskedColumns(shown) : shown;
}

type Shown = Extract<ColumnsView, { kind: 'columns' }>;
const NOTHING: Omit<Shown, 'kind' | 'mistakes'> = {
  ...{ columns: [], missing: [], targets: [], cards: [], sampled: 0, rows: null, beginning: null },
};

function tableOf(view: MappedColumns['view']) {
  const { columns, missing, targets, cards, sampled, rows, beginning } =
    view.kind === 'broken' ? NOTHING : view;
  return {
    ...{ sampled, rows, beginning },
    targets: targets.map((target) => ({
      ...target,
      aliases: [...target.aliases],
      values: [...target.values],
      columns: [...target.columns],
    })),
    columns: columns.map((column) => ({
      ...column,
      examples: [...column.examples],
      uses: column.uses.map((use) => ({
        ...use,
        at: [...use.at],
        columns: [...use.columns],
        steps: use.steps.map(({ name, options }) => ({ name, options })),
        map: [...use.map],
        blank: [...use.blank],
        problems: use.problems.map((one) => ({ ...one, values: [...one.values] })),
      })),
      suggested: column.suggested,
    })),
    missing: missing.map(shownMissing),
    cards: cards.map(shownCard),
    countries: [...phoneCountries()],
  };
}

const shownCard = ({ row, parts, problems }: Shown['cards'][number]): Card => ({
  row,
  parts: parts.map((part) => ({ ...part, marks: [...part.marks] })),
  problems: problems.map(({ column, code, message }) => ({ column, code, message })),
});

function shownMissing({ target, isIdentifier, columns, edits }: Shown['missing'][number]): Missing {
  const constant = edits.find((edit) => edit.kind === 'constant');
  const value = constant?.value ?? null;
  return {
    target,
    isIdentifier,
    columns: [...columns],
    value: value === null ? null : String(value),
  };
}

const shownMistake = ({ line, column, message, suggestion }: ConfigMistake) => ({
  line: line ?? null,
  column: column ?? null,
  message,
  suggestion: suggestion ?? null,
});

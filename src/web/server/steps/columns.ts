import {
  type Decision,
  editColumns,
  type EditedColumns,
  type MappedColumns,
  mappedColumns,
  type MappedColumnsRequest,
  phoneCountries,
} from '../../../setup/columns.js';
import {
  mappingFile,
  savedMappings,
  saveMapping,
  readMappingText,
  withShortPaths,
  isReadable,
} from '../../../setup/mappings.js';
import type {
  BeginWith,
  columnsRoutes,
  Card,
  ColumnEdit,
  Columns,
  Missing,
} from '../../shared/columns.js';
import type { Handlers, Site } from '../handler.js';
import type { StoredList } from '../lists/lists.js';
import {
  mappingFrom,
  type NewMapping,
  readableMapping,
  readMapping,
  refuseStale,
  revisionOf,
  suggestionFor,
  writeMapping,
  mappingPathOf,
  savedFolder,
  keepLastMapping,
} from '../lists/mappings.js';
import { noInstallation, Refusal, masked } from '../problem.js';
import type { ConfigMistake } from '../../../core/errors.js';
import type { ColumnsView } from '../../../suggest/view.js';
import { shownList } from '../lists/shown-list.js';

const SENTENCES: Readonly<Record<Refused['code'], string>> = {
  not_used: 'The mapping does not use this column any more.',
  in_template: 'The column is part of a text that is put together in the mapping.',
  not_joinable:
    'What is there is the same in all rows, or a text that is put together: no column can be added.',
  not_a_section: 'Something else stands in the mapping where this belongs.',
  not_writable: 'This place of the mapping is written in a way that cannot be changed by a click.',
  reserved_name: 'A mapping cannot hold this name.',
  needs_keep: 'The new value holds signs that mean something else in a pattern.',
};

const hidden = (): Refusal =>
  new Refusal(409, {
    code: 'text_hidden',
    sentence: 'The text of the mapping is hidden with --mask, and so it cannot be typed in.',
    next: 'Start cardline without --mask to edit it.',
  });

const tooLong = (): Refusal =>
  new Refusal(413, {
    code: 'mapping_too_long',
    sentence: 'This text is too long for a mapping.',
    next: 'Put long lists of values into a table, and name it with "lookup".',
  });

/** Characters of a mapping that is typed: each letter has it parsed again. */
const MAX_TYPED = 256 * 1024;

const taken = (name: string): Refusal =>
  new Refusal(409, {
    code: 'name_taken',
    sentence: `There is a mapping named ${name} already.`,
    next: 'Replace it, or choose another name.',
    field: 'name',
    values: { name },
  });

/** They say nothing of who a client is. */
const NO_WORDS: ReadonlySet<string> = new Set(['clientRoleId', 'type', 'timeZone']);

const shownMistake = ({ line, column, message, suggestion }: ConfigMistake) => ({
  line: line ?? null,
  column: column ?? null,
  message,
  suggestion: suggestion ?? null,
});

const shownCard = ({ row, parts, problems }: Shown['cards'][number]): Card => ({
  row,
  parts: parts.map((part) => ({ ...part, marks: [...part.marks] })),
  problems: problems.map(({ column, code, message }) => ({ column, code, message })),
});

const NOTHING: Omit<Shown, 'kind' | 'mistakes'> = {
  ...{ columns: [], missing: [], targets: [], cards: [], sampled: 0, rows: null, beginning: null },
};

export const columnsHandlers: Handlers<keyof typeof columnsRoutes> = {
  'GET /api/lists/:list/columns': async ({ params }, { site }) => {
    const { id, step } = await site.lists.get(params.list);
    await site.lists.touch(id);
    const shown = await shownColumns(id, site);
    if (step !== 'file' || site.settings.readOnly) return shown;
    await site.lists.change(id, { step: 'columns' });
    return shownColumns(id, site);
  },
  'POST /api/lists/:list/columns/edits': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    const mapping = await readMapping(site, list);
    refuseStale(mapping, body.revision);
    const edited = await editColumns(requestFor(mapping.text, list, site), body.edits);
    if (!('yaml' in edited)) throw editProblem(edited);
    await writeMapping(site, list, { text: edited.yaml, revision: body.revision });
    const { answers = [], edits } = body;
    await site.lists.change(list.id, ({ answered }) => ({
      answered: [...new Set([...answered.filter((id) => !isOver(id, edits)), ...answers])],
    }));
    return shownColumns(list.id, site);
  },
  'PUT /api/lists/:list/mapping': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    if (site.settings.mask) throw hidden();
    if (body.yaml.length > MAX_TYPED) throw tooLong();
    await writeMapping(site, list, { text: body.yaml, revision: body.revision });
    return shownColumns(list.id, site);
  },
  'POST /api/lists/:list/mapping/use': async ({ params, body: { from, revision } }, { site }) => {
    const list = await site.lists.get(params.list);
    await writeMapping(site, list, { ...(await beginningOf(from, list, site)), revision });
    // What is begun anew has no answers yet.
    if (from.kind !== 'readable') await site.lists.change(list.id, { answered: [] });
    return shownColumns(list.id, site);
  },
  'POST /api/lists/:list/mapping/save': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    await saveListMapping(list, site, body);
    return shownColumns(list.id, site);
  },
};

async function beginningOf(
  from: BeginWith,
  list: StoredList,
  site: Site,
): Promise<Pick<NewMapping, 'text' | 'origin'>> {
  if (from.kind === 'readable') return { text: await readableMapping(site, list) };
  if (from.kind === 'suggested') {
    const text = await suggestionFor(site, list);
    return { text, origin: { mapping: null, mappingFile: null, draft: revisionOf(text) } };
  }
  const { center } = site.settings;
  if (!center) throw noInstallation();
  const file = mappingFile(savedFolder(center, site.settings), from.name);
  const { text, origin } = await mappingFrom(file, list);
  return { text, origin: { ...origin, mapping: from.name, draft: null } };
}

type Failed = Exclude<EditedColumns, { readonly yaml: string }>;
type Refused = Extract<EditedColumns, { readonly refused: unknown }>['refused'];

/** Why an edit was not made, and where it can be made instead. */
function editProblem(failed: Failed): Refusal {
  if ('mistakes' in failed)
    return new Refusal(422, {
      code: 'mapping_broken',
      sentence: 'The mapping is no valid YAML at the moment.',
      next: 'Mend it in the text, or take back the last text that could be read.',
    });
  if ('unusable' in failed)
    return new Refusal(422, {
      code: 'edit_unusable',
      sentence: `This cannot be used: ${failed.unusable}`,
    });
  const { code, line, params } = failed.refused;
  return new Refusal(422, {
    code: `edit_${code}`,
    sentence: SENTENCES[code],
    next: line === undefined ? 'Change it in the text.' : `Change it in the text, in line ${line}.`,
    values: { ...params, ...(line === undefined ? {} : { line }) },
  });
}

interface SaveRequest {
  readonly name: string;
  /** The revision that is to be saved; `null`: the one of now. */
  readonly revision: string | null;
  /** Whether it may take the place of another mapping of the name. */
  readonly overwrite: boolean;
}

/**
 * Saves the mapping of a list under a name, beside the installation, where the command line finds it.
 * @throws Refusal when another one has the name, or the mapping has been changed since; UsageError for a wrong name
 */
async function saveListMapping(
  list: StoredList,
  site: Site,
  { name, revision, overwrite }: SaveRequest,
): Promise<void> {
  const { center } = site.settings;
  if (!center) throw noInstallation();
  const mapping = await readMapping(site, list);
  if (revision !== null) refuseStale(mapping, revision);
  const folder = savedFolder(center, site.settings);
  const file = mappingFile(folder, name);
  const isThere = (await savedMappings(folder)).includes(name);
  if (isThere && !overwrite && (await readMappingText(file)) !== mapping.text) throw taken(name);
  await saveMapping(folder, name, withShortPaths(mapping.text, file));
  const origin = { mapping: name, mappingFile: file };
  await writeMapping(site, list, { ...mapping, origin });
  await keepLastMapping(site, { ...list, ...origin }, mapping.text);
}

/** What looking at the columns of a list needs, with a text of its mapping. @throws Refusal without an installation */
function requestFor(yaml: string, list: StoredList, site: Site): MappedColumnsRequest {
  const { center, ledger } = site.settings;
  if (!center) throw noInstallation();
  return {
    ...{ yaml, file: list.file, name: list.name, ledger, tables: site.tables },
    mapping: mappingPathOf(site, list),
    installation: center.installation,
  };
}

/** The step Columns of a list as it is now. */
async function shownColumns(id: string, site: Site): Promise<Columns> {
  const { text, revision } = await readMapping(site, await site.lists.get(id));
  const list = await site.lists.get(id);
  const isBroken = !isReadable(text);
  const { center } = site.settings;
  if (!center) throw noInstallation();
  const folder = savedFolder(center, site.settings);
  const request = requestFor(isBroken ? await readableMapping(site, list) : text, list, site);
  const { view, mode, sheet, conditions, decisions } = await mappedColumns(request);
  const broken = isBroken ? await mappedColumns({ ...request, yaml: text }) : undefined;
  const shown: Columns = {
    ...{ list: shownList(list, site), revision, yaml: text, isBroken, mode, sheet },
    ...tableOf(view),
    conditions: conditions && [...conditions],
    // A mapping that somebody has made has its answers already.
    decisions: list.draft === null ? [] : decisions.map((one) => shownDecision(one, list)),
    mistakes: (broken?.view ?? view).mistakes.map(shownMistake),
    isDraft: list.draft === revision,
    saved: await savedMappings(folder),
  };
  return site.settings.mask ? maskedColumns(shown) : shown;
}

const shownDecision = (
  decision: Decision,
  { answered }: StoredList,
): Columns['decisions'][number] => ({
  ...decision,
  isAnswered: answered.includes(decision.id),
});

/** Whether an answer about how a column is read is gone, since the column goes somewhere anew. */
const isOver = (id: string, edits: readonly ColumnEdit[]): boolean =>
  edits.some(
    (edit) =>
      edit.kind === 'become' &&
      (id === 'country' ? edit.target === 'phones' : isAbout(id, edit.column)),
  );

const isAbout = (id: string, column: string): boolean =>
  !id.startsWith('where ') && id.endsWith(` ${column}`);

type Shown = Extract<ColumnsView, { kind: 'columns' }>;

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

/** Without what the cells say: values, maps, and the text of the mapping, whose maps and comments hold them too. */
function maskedColumns(shown: Columns): Columns {
  const hidden = <T extends { readonly value: string }>(values: readonly T[]): T[] =>
    values.map((one) => ({ ...one, value: masked(one.value) }));
  return {
    ...shown,
    yaml: null,
    // What is asked shows words of cells, and is answered with them.
    conditions: null,
    decisions: shown.decisions.filter(({ kind }) => kind === 'country'),
    mistakes: shown.mistakes.map((one) => ({ ...one, suggestion: null })),
    cards: shown.cards.map(({ parts, ...card }) => ({
      ...card,
      parts: parts.map((part) =>
        NO_WORDS.has(part.target) ? part : { ...part, text: masked(part.text) },
      ),
    })),
    columns: shown.columns.map((column) => ({
      ...column,
      examples: hidden(column.examples),
      uses: column.uses.map((use) => ({
        ...use,
        steps: use.steps.map((step) =>
          step.name === 'map' || step.name === 'replace' ? { ...step, options: null } : step,
        ),
        map: use.map.map((pair) => ({ ...pair, from: masked(pair.from) })),
        blank: use.blank.map(masked),
        problems: use.problems.map((one) => ({ ...one, values: hidden(one.values) })),
      })),
    })),
  };
}

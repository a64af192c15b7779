import {
  editColumns,
  type EditedColumns,
  type MappedColumns,
  mappedColumns,
  type MappedColumnsRequest,
  phoneCountries,
  mappingFile,
  savedMappings,
  saveMapping,
  readMappingText,
  withShortPaths,
  isReadable,
} from '../../../setup/columns.js';
import type { BeginWith, ColumnEdit, columnsRoutes } from '../../shared/routes.js';
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
import { masked, Refusal, refusal } from '../problem.js';
import type { ColumnsView } from '../../../suggest/view.js';
import { shownList } from '../lists/shown-list.js';
import { centerOf } from '../settings.js';

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

/** Characters of a mapping that is typed: each letter has it parsed again. */
const MAX_TYPED = 256 * 1024;

/** They say nothing of who a client is. */
const NO_WORDS: ReadonlySet<string> = new Set(['clientRoleId', 'type', 'timeZone']);

const NOTHING: Omit<Shown, 'kind' | 'mistakes'> = {
  ...{ columns: [], missing: [], targets: [], cards: [], sampled: 0, rows: null, beginning: null },
};

export const columnsHandlers = {
  'GET /api/lists/:list/columns': async ({ params }, { site }) => {
    const { id, step } = await site.lists.get(params.list);
    await site.lists.touch(id);
    const shown = await shownColumns(id, site);
    if (step !== 'file' || site.settings.readOnly) return shown;
    const list = await site.lists.change(id, { step: 'columns' });
    return { ...shown, list: shownList(list, site) };
  },
  'POST /api/lists/:list/columns/edits': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    const mapping = await readMapping(site, list);
    refuseStale(mapping, body.revision);
    const edited = await editColumns(requestFor(mapping.text, list, site), body.edits);
    if (!('yaml' in edited)) throw editProblem(edited);
    if (body.trial) return shownColumns(list.id, site, edited.yaml);
    await writeMapping(site, list, { text: edited.yaml, revision: body.revision });
    const { answers = [], edits } = body;
    await site.lists.change(list.id, ({ answered }) => ({
      answered: [...new Set([...answered.filter((id) => !isOver(id, edits)), ...answers])],
    }));
    return shownColumns(list.id, site);
  },
  'PUT /api/lists/:list/mapping': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    if (site.settings.mask) throw refusal('text_hidden');
    if (body.yaml.length > MAX_TYPED) throw refusal('mapping_too_long');
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
    const { name, revision, overwrite } = body;
    const mapping = await readMapping(site, list);
    if (revision !== null) refuseStale(mapping, revision);
    // It is saved beside the installation, where the command line finds it.
    const folder = savedFolder(site.settings);
    const file = mappingFile(folder, name);
    const isThere = (await savedMappings(folder)).includes(name);
    if (isThere && !overwrite && (await readMappingText(file)) !== mapping.text)
      throw new Refusal(409, {
        code: 'name_taken',
        sentence: `There is a mapping named ${name} already.`,
        next: 'Replace it, or choose another name.',
        field: 'name',
        values: { name },
      });
    await saveMapping(folder, name, withShortPaths(mapping.text, file));
    const origin = { mapping: name, mappingFile: file };
    await writeMapping(site, list, { ...mapping, origin });
    await keepLastMapping(site, { ...list, ...origin }, mapping.text);
    return shownColumns(list.id, site);
  },
} satisfies Handlers<keyof typeof columnsRoutes>;

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
  const file = mappingFile(savedFolder(site.settings), from.name);
  const { text, origin } = await mappingFrom(file, list);
  return { text, origin: { ...origin, mapping: from.name, draft: null } };
}

type Failed = Exclude<EditedColumns, { readonly yaml: string }>;
type Refused = Extract<EditedColumns, { readonly refused: unknown }>['refused'];

function editProblem(failed: Failed): Refusal {
  if ('mistakes' in failed) return refusal('mapping_broken');
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

/** What looking at the columns of a list needs, with a text of its mapping. @throws Refusal without an installation */
function requestFor(yaml: string, list: StoredList, site: Site): MappedColumnsRequest {
  const { ledger } = site.settings;
  return {
    ...{ yaml, file: list.file, name: list.name, ledger, tables: site.tables },
    mapping: mappingPathOf(site, list),
    installation: centerOf(site.settings).installation,
  };
}

/** The step Columns of a list as it is now, or would be with another text. */
async function shownColumns(id: string, site: Site, trial?: string): Promise<Columns> {
  const shown = await unmaskedColumns(id, site, trial);
  return site.settings.mask ? maskedColumns(shown) : shown;
}

export type Columns = Awaited<ReturnType<typeof unmaskedColumns>>;

async function unmaskedColumns(id: string, site: Site, trial: string | undefined) {
  const { text: kept, revision } = await readMapping(site, await site.lists.get(id));
  const text = trial ?? kept;
  const list = await site.lists.get(id);
  const isBroken = !isReadable(text);
  const folder = savedFolder(site.settings);
  const request = requestFor(isBroken ? await readableMapping(site, list) : text, list, site);
  const { view, mode, sheet, conditions, decisions } = await mappedColumns(request);
  const broken = isBroken ? await mappedColumns({ ...request, yaml: text }) : undefined;
  return {
    ...{ list: shownList(list, site), revision, mode, sheet, conditions },
    /** The mapping as it was typed or clicked; `null` with `--mask`, since its maps and comments hold words of clients. */
    yaml: text as string | null,
    /** Whether the text is no YAML: the columns are those of the last text that was. */
    isBroken,
    ...tableOf(view),
    // A mapping that somebody has made has its answers already.
    decisions: (list.draft === null ? [] : decisions).map((one) => ({
      ...one,
      isAnswered: list.answered.includes(one.id),
    })),
    mistakes: (broken?.view ?? view).mistakes.map(({ line, column, message, suggestion }) => ({
      ...{ line: line ?? null, column: column ?? null, message },
      suggestion: suggestion ?? null,
    })),
    /** Whether it is a suggestion that nobody has worked on. */
    isDraft: list.draft === revision,
    /** Mappings that were saved under a name. */
    saved: await savedMappings(folder),
  };
}

/** Whether an answer about how a column is read is gone, since the column goes somewhere anew. */
const isOver = (id: string, edits: readonly ColumnEdit[]): boolean =>
  edits.some(
    (edit) =>
      edit.kind === 'become' &&
      (id === 'country'
        ? edit.target === 'phones'
        : !id.startsWith('where ') && id.endsWith(` ${edit.column}`)),
  );

type Shown = Extract<ColumnsView, { kind: 'columns' }>;

function tableOf(view: MappedColumns['view']) {
  const table = view.kind === 'broken' ? NOTHING : view;
  const { sampled, rows, beginning, targets } = table;
  return {
    ...{ sampled, rows, beginning, targets },
    cards: table.cards.map(({ problems, ...card }) => ({
      ...card,
      problems: problems.map(({ column, code, message }) => ({ column, code, message })),
    })),
    columns: table.columns.map(({ suggested: { target, phoneType, score, why }, ...column }) => ({
      ...column,
      suggested: { target, phoneType, score, why },
    })),
    missing: table.missing.map(({ edits, ...one }) => {
      const value = edits.find((edit) => edit.kind === 'constant')?.value ?? null;
      return { ...one, value: value === null ? null : String(value) };
    }),
    countries: phoneCountries(),
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
        examples: use.examples.map(({ from, to, message }) => ({
          ...{ from: masked(from), to: to === null ? null : masked(to), message },
        })),
      })),
    })),
  };
}

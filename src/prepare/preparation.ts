import { type RowPart, type Row, PartFilter, type SourceOptions } from '../core/table.js';
import { ConfigurationError, InputError, asOneError } from '../core/errors.js';
import { type Mode, MODE_TRAITS } from '../core/mode.js';
import { systemClock } from '../core/time.js';
import type { PreparedChunk } from '../core/prepared.js';
import type { Installation } from '../installation/installation.js';
import { loadInstallation } from '../installation/load.js';
import { type LoadedMapping, loadMapping } from '../mapping/load.js';
import { traitsOf } from '../source/formats.js';
import { timesNow } from '../files/regular-file.js';
import { lookupTable } from './lookup-table.js';
import {
  type ChunkBuilder,
  type ChunkSettings,
  createChunkBuilder,
  createChunkWriters,
} from './chunk.js';
import { ofInput } from './inputs/corrections.js';
import { type DataInput, openInput, tryInput } from './inputs/input.js';
import { isFoundByPhone } from '../mapping/suspicions.js';
import type { NumberPlan } from '../calling/zones/number-plan.js';
import type { OpenLists } from './open-lists.js';
import {
  CHUNK_ROWS,
  CHUNK_TEXT,
  DEFAULT_REQUEST_BYTES,
  type Preparation,
  type PreparePlan,
} from './plan.js';

/**
 * Opens all inputs, reads their headers and compiles the mapping for each: whatever is wrong with them is reported before
 * the first row.
 * @throws InputError, ConfigurationError
 */
export async function openPreparation(plan: PreparePlan): Promise<Preparation> {
  const { installation, mapping, inputs, lists, asOf } = await openAll(plan);
  const { duplicates } = mapping;
  const settings = {
    ...plan,
    duplicates,
    derivedUuid: mapping.uuid === undefined,
    requestBytes: installation?.limits.requestBytes ?? DEFAULT_REQUEST_BYTES,
    prints: 'delta' in mapping.sections && mapping.sections.delta !== undefined,
  };
  const { mode, source, recovery, campaign, sections, digests } = mapping;
  const { file, value } = mapping.document;
  return {
    installation,
    mapping: { mode, source, recovery, campaign, sections, digests, document: { file, value } },
    inputs: inputs.map((input) => input.opened),
    identifierNames: inputs[0]?.mapping.identifierNames ?? [],
    duplicates,
    asOf,
    warnings: [
      ...inputs.flatMap(({ notices }) => notices),
      ...[...(lists?.warnings ?? []), ...holidayWarnings(mapping, asOf)].map((message) => ({
        message,
      })),
    ],
    chunks: () => chunksOf(inputs, settings, plan),
    close: async () => {
      lists?.close();
      await closeAll(inputs);
    },
  };
}

interface Opened {
  readonly installation: Installation | undefined;
  readonly mapping: LoadedMapping;
  readonly inputs: readonly DataInput[];
  /** Lists of numbers that must not be called, where the mode calls anybody. */
  readonly lists: OpenLists | undefined;
  /** The moment that counts; `null` where none does. */
  readonly asOf: number | null;
}

/** Opens what a plan names. A file that is wrong does not keep the others from being looked at. */
async function openAll(plan: PreparePlan): Promise<Opened> {
  const mistakes: (ConfigurationError | InputError)[] = [];
  const orMistake = async <T>(opening: Promise<T>): Promise<T | undefined> => {
    try {
      return await opening;
    } catch (error) {
      if (!(error instanceof ConfigurationError) && !(error instanceof InputError)) throw error;
      mistakes.push(error);
      return undefined;
    }
  };
  const { installation: file, verify, share } = plan;
  const installation = file === undefined ? undefined : await orMistake(loadInstallation(file));
  const mapping = await orMistake(
    loadMapping(plan.mapping, { readTable: lookupTable, mode: plan.mode }),
  );
  const lists = await orMistake(openListsFor(installation, mapping?.mode, share.of));
  const numberPlan = await orMistake(planFor(installation, mapping));
  const options: SourceOptions = { ...mapping?.source, ...plan.source };
  const asOf = momentFor(mapping, plan);
  const inputs: DataInput[] = [];
  try {
    for (const [index, input] of plan.inputs.entries()) {
      const context = {
        installation,
        options,
        wanted: plan.source,
        verify: verify && share.index === 0,
        notices: share.index === 0,
        suppression: lists?.suppression,
        keepsNumbers: plan.purpose === 'send' && mapping && MODE_TRAITS[mapping.mode].enqueues,
        numberPlan,
        asOf,
        corrections: ofInput(plan.corrections, index),
      };
      const opened = await orMistake(
        mapping ? openInput(input, { ...context, mapping }) : tryInput(input, context),
      );
      if (opened) inputs.push(opened);
    }
    if (!mapping || mistakes.length > 0) throw asOneError(mistakes);
    return { installation, mapping, inputs, lists, asOf };
  } catch (error) {
    lists?.close();
    await closeAll(inputs);
    throw error;
  }
}

/** Modes that call nobody need no list, and run with an old one as well. */
async function openListsFor(
  installation: Installation | undefined,
  mode: Mode | undefined,
  threads: number,
): Promise<OpenLists | undefined> {
  if (!installation?.suppress || mode === undefined || !MODE_TRAITS[mode].calls) return undefined;
  const { openLists } = await import('./open-lists.js');
  return await openLists(installation.suppress, threads, systemClock.now());
}

/** Read only where the mapping finds time zones by phones. */
async function planFor(
  installation: Installation | undefined,
  mapping: LoadedMapping | undefined,
): Promise<NumberPlan | undefined> {
  const client = mapping?.sections.client;
  if (!installation?.numberPlan || !client || !('timeZone' in client)) return undefined;
  if (!isFoundByPhone(client.timeZone)) return undefined;
  const { openNumberPlan } = await import('./open-number-plan.js');
  return await openNumberPlan(installation.numberPlan);
}

function momentFor(
  mapping: LoadedMapping | undefined,
  { asOf = systemClock.now() }: PreparePlan,
): number | null {
  return mapping?.callable || mapping?.fresh ? asOf : null;
}

const DAY = 86_400_000;

/** A calendar of last year holds no holiday of this one. */
function holidayWarnings({ callable, holidays }: LoadedMapping, asOf: number | null): string[] {
  const last = holidays?.last ?? null;
  if (last === null || asOf === null || last * DAY > asOf) return [];
  const day = new Date(last * DAY).toISOString().slice(0, 10);
  return [`The last day in ${callable?.holidays ?? 'the calendar'} is ${day}: is it up to date?`];
}

async function closeAll(inputs: readonly DataInput[]): Promise<void> {
  for (const input of inputs) await input.close();
}

/**
 * The chunks of a share: every one is read, to know where it begins, and the own ones are mapped. Where a chunk ends
 * depends on the rows alone, so all shares agree. Each row is mapped as it is read: what outlives the next few rows is
 * copied by every collection of garbage.
 */
async function* chunksOf(
  inputs: readonly DataInput[],
  settings: ChunkSettings,
  { inputs: files, share, part = {} }: Pick<PreparePlan, 'inputs' | 'share' | 'part'>,
): AsyncGenerator<PreparedChunk, void, undefined> {
  const writers = createChunkWriters();
  const filter = new PartFilter(part);
  let number = 0;
  let first = 0;
  for (const [index, input] of inputs.entries()) {
    if (filter.isFull) return;
    const { opened, mapping } = input;
    const { storesEmptyCells } = traitsOf(opened.info.format);
    const width = storesEmptyCells ? opened.headers.length : undefined;
    const { delimiter } = opened.info;
    const columns = { headers: opened.headers, width, delimiter };
    const builder = createChunkBuilder(columns, mapping, settings, writers);
    const begin = (sheet: string | null): OpenChunk => {
      const own = number++ % share.of === share.index;
      if (own) builder.begin({ input: index, sheet, first });
      return new OpenChunk(sheet, own ? builder : null);
    };
    const taken = (): PreparedChunk => ({
      ...builder.take(progressOf(inputs, filter)),
      inputTimes: timesNow(files[index]?.path ?? ''),
    });
    let open: OpenChunk | undefined;
    let thrown: unknown;
    try {
      for await (const rows of input.rows()) {
        const batch = isPart(part) ? rows.filter(({ row }) => filter.takes(row)) : rows;
        for (const row of batch) {
          if (open && (open.isFull || row.sheet !== open.sheet)) {
            first += open.count;
            if (open.builder) yield taken();
            open = undefined;
          }
          open ??= begin(row.sheet);
          open.add(row);
        }
        // Not even read: a trial of a large file is over at once.
        if (isPart(part) && filter.isOver(rows.at(-1)?.row ?? 0)) break;
      }
    } catch (error) {
      thrown = error;
    }
    first += open?.count ?? 0;
    if (open?.builder) yield taken();
    // Rows before a mistake have been read and are accounted for.
    if (thrown !== undefined) throw thrown as Error;
  }
}

/** What a cell costs beside its text, empty or not, in characters: a row may have many. */
const CELL_TEXT = 16;

/** A chunk that is being read: rows of one sheet. `builder`: what maps them, where the chunk is an own one. */
class OpenChunk {
  count = 0;
  #text = 0;

  constructor(
    readonly sheet: string | null,
    readonly builder: ChunkBuilder | null,
  ) {}

  /** Whether the next row belongs into another chunk. */
  get isFull(): boolean {
    return this.count >= CHUNK_ROWS || this.#text >= CHUNK_TEXT;
  }

  add(row: Row): void {
    this.count++;
    const { cells } = row;
    let text = CELL_TEXT * cells.length;
    for (const cell of cells) if (cell !== null) text += cell.length;
    this.#text += text;
    this.builder?.add(row);
  }
}

function progressOf(inputs: readonly DataInput[], filter: PartFilter): number {
  const total = inputs.reduce((sum, { opened }) => sum + opened.info.bytes, 0);
  const read = inputs.reduce((sum, input) => sum + input.bytesRead(), 0);
  return total === 0 ? 1 : Math.min(1, Math.max(read / total, filter.share(inputs.length)));
}

export const isPart = ({ rows, limit }: RowPart): boolean =>
  rows !== undefined || limit !== undefined;

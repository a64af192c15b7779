import type { PreparedChunk } from '../../core/prepared.js';
import type { Row } from '../../core/row.js';
import type { SourceOptions } from '../../core/source.js';
import { loadInstallation } from '../../mapping/installation.js';
import { loadMapping } from '../../mapping/load.js';
import { readTable } from '../read-table.js';
import { type ChunkBuilder, type ChunkSettings, createChunkBuilder } from './chunk-builder.js';
import { type DataInput, openInput } from './input.js';
import {
  CHUNK_ROWS,
  CHUNK_TEXT,
  DEFAULT_REQUEST_BYTES,
  type Preparation,
  type PreparePlan,
} from './plan.js';

/**
 * Opens all inputs, reads their headers and compiles the mapping for each: whatever is wrong with them is told before
 * the first row.
 * @throws InputError, ConfigurationError
 */
export async function openPreparation(plan: PreparePlan): Promise<Preparation> {
  const installation =
    plan.installation === undefined ? undefined : await loadInstallation(plan.installation);
  const mapping = await loadMapping(plan.mapping, { readTable, mode: plan.mode });
  const options: SourceOptions = { ...mapping.source, ...plan.source };
  const verify = plan.verify && plan.share.index === 0;
  const inputs: DataInput[] = [];
  const close = async (): Promise<void> => {
    for (const input of inputs) await input.close();
  };
  try {
    for (const file of plan.inputs)
      inputs.push(await openInput(file, { mapping, installation, options, verify }));
  } catch (error) {
    await close();
    throw error;
  }
  const duplicates = mapping.duplicates.by;
  const settings = {
    ...plan,
    duplicates,
    derivedUuid: mapping.uuid === undefined,
    requestBytes: installation?.limits.requestBytes ?? DEFAULT_REQUEST_BYTES,
  };
  const { mode, source, recovery, campaign, sections } = mapping;
  const { file, value } = mapping.document;
  return {
    installation,
    mapping: { mode, source, recovery, campaign, sections, document: { file, value } },
    inputs: inputs.map((input) => input.opened),
    identifierNames: inputs[0]?.mapping.identifierNames ?? [],
    duplicates,
    chunks: () => chunksOf(inputs, settings, plan.share),
    close,
  };
}

/**
 * The chunks of a share: every one is read, to know where it begins, and the own ones are mapped. Where a chunk ends
 * depends on the rows alone, so all shares agree.
 */
async function* chunksOf(
  inputs: readonly DataInput[],
  settings: ChunkSettings,
  share: PreparePlan['share'],
): AsyncGenerator<PreparedChunk, void, undefined> {
  let number = 0;
  let first = 0;
  for (const [index, input] of inputs.entries()) {
    const { opened, mapping } = input;
    const width = opened.info.format === 'csv' ? opened.headers.length : undefined;
    for await (const { rows, sheet } of slices(input.rows())) {
      if (number++ % share.of === share.index) {
        const place = { input: index, sheet, first, width };
        const builder: ChunkBuilder = createChunkBuilder(place, mapping, settings);
        for (const row of rows) builder.add(row);
        yield builder.take(progressOf(inputs));
      }
      first += rows.length;
    }
  }
}

/** What a cell costs beside its text, empty or not, in characters: a row may have many. */
const CELL_TEXT = 16;

interface Slice {
  readonly sheet: string | null;
  readonly rows: readonly Row[];
}

/** Rows of one sheet, as many as a chunk has. */
async function* slices(
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Slice, void, undefined> {
  let rows: Row[] = [];
  let text = 0;
  let fault: unknown;
  try {
    for await (const batch of batches)
      for (const row of batch) {
        const [start] = rows;
        const full = rows.length >= CHUNK_ROWS || text >= CHUNK_TEXT;
        if (start && (full || row.sheet !== start.sheet)) {
          yield { rows, sheet: start.sheet };
          rows = [];
          text = 0;
        }
        rows.push(row);
        text += CELL_TEXT * row.cells.length;
        for (const cell of row.cells) text += cell === null ? 0 : cell.length;
      }
  } catch (error) {
    fault = error;
  }
  const [start] = rows;
  if (start) yield { rows, sheet: start.sheet };
  // Rows before a fault have been read and are accounted for.
  if (fault !== undefined) throw fault as Error;
}

function progressOf(inputs: readonly DataInput[]): number {
  const total = inputs.reduce((sum, { opened }) => sum + opened.info.bytes, 0);
  const read = inputs.reduce((sum, input) => sum + input.bytesRead(), 0);
  return total === 0 ? 1 : Math.min(1, read / total);
}

import type { PreparedChunk } from '../../core/prepared.js';
import type { SourceOptions } from '../../core/source.js';
import { loadInstallation } from '../../mapping/installation.js';
import { loadMapping } from '../../mapping/load.js';
import { readTable } from '../read-table.js';
import { createChunkBuilder } from './chunk-builder.js';
import { type DataInput, openInput } from './input.js';
import type { Preparation, PreparePlan } from './plan.js';

/**
 * Opens all inputs, reads their headers and compiles the mapping for each: whatever is wrong with them is told before
 * the first row.
 * @throws InputError, ConfigurationError
 */
export async function openPreparation(plan: PreparePlan): Promise<Preparation> {
  const installation =
    plan.installation === undefined ? undefined : await loadInstallation(plan.installation);
  const mapping = await loadMapping(plan.mapping, { readTable });
  const options: SourceOptions = { ...mapping.source, ...plan.source };
  const inputs: DataInput[] = [];
  const close = async (): Promise<void> => {
    for (const input of inputs) await input.close();
  };
  try {
    for (const file of plan.inputs)
      inputs.push(await openInput(file, { mapping, installation, options, verify: plan.verify }));
  } catch (error) {
    await close();
    throw error;
  }
  const duplicates = mapping.duplicates.by;
  return {
    inputs: inputs.map((input) => input.opened),
    identifierNames: inputs[0]?.mapping.identifierNames ?? [],
    duplicates,
    chunks: () =>
      chunksOf(inputs, { ...plan, duplicates, derivedUuid: mapping.uuid === undefined }),
    close,
  };
}

async function* chunksOf(
  inputs: readonly DataInput[],
  settings: Parameters<typeof createChunkBuilder>[2],
): AsyncGenerator<PreparedChunk, void, undefined> {
  const total = inputs.reduce((sum, input) => sum + input.source.info.bytes, 0);
  const progress = (): number =>
    total === 0
      ? 1
      : Math.min(1, inputs.reduce((sum, { source }) => sum + source.bytesRead(), 0) / total);
  let first = 0;
  for (const [index, input] of inputs.entries()) {
    const { opened, mapping } = input;
    const width = opened.info.format === 'csv' ? opened.headers.length : undefined;
    const newBuilder = (sheet: string | null) =>
      createChunkBuilder({ input: index, sheet, first, width }, mapping, settings);
    let sheet = opened.sheet;
    let builder = newBuilder(sheet);
    for await (const batch of input.rows())
      for (const row of batch) {
        if (builder.isFull() || (row.sheet !== sheet && !builder.isEmpty())) {
          const chunk = builder.take(progress());
          first += chunk.count;
          sheet = row.sheet;
          builder = newBuilder(sheet);
          yield chunk;
        }
        builder.add(row);
      }
    if (!builder.isEmpty()) {
      const chunk = builder.take(progress());
      first += chunk.count;
      yield chunk;
    }
  }
}

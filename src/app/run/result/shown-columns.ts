import { resolve } from 'node:path';
import { z } from 'zod';
import { headerName } from '../../../core/cell-text.js';
import type { SourceInfo, SourceOptions } from '../../../core/table.js';
import type { ImportSetup } from '../../inputs/import-setup.js';
import { readInputs } from '../../inputs/read-inputs.js';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** How the columns that a mapping chooses for the report are found again in each input. Kept with the run. */
export const shownColumnsSchema = z.object({
  names: z.array(z.string()),
  inputs: z.array(
    z.object({
      path: z.string(),
      /** Shows whether the file was changed since. */
      mark: z.string().nullable(),
      source: z.custom<SourceOptions>(isObject),
      info: z.custom<SourceInfo>(isObject),
      headerRow: z.number(),
      sheet: z.string().nullable(),
      /** Positions of the columns in a row. */
      columns: z.array(z.number()),
    }),
  ),
});

export type ShownColumns = z.infer<typeof shownColumnsSchema>;

/** The columns that the mapping chooses, and where each input has them; nothing when it chooses none. */
export function shownColumns(setup: ImportSetup): ShownColumns | undefined {
  const { request, mapping } = setup;
  const names = mapping.sections.report?.show;
  if (!names) return undefined;
  const options = { ...mapping.source, ...request.source };
  const read = readInputs(setup, options);
  return {
    names,
    inputs: read.map(({ file, input, source, mark }) => {
      const headers = input.headers.map(headerName);
      return {
        path: resolve(file.path),
        ...{ mark, source },
        ...{ info: input.info, headerRow: input.headerRow, sheet: input.sheet },
        columns: names.map((name) => headers.indexOf(headerName(name))),
      };
    }),
  };
}

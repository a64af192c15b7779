import { z } from 'zod';

/** The form that this version writes. */
const VERSION = 1;

const cell = z.string().nullable();

/** A line of a file of corrections. */
export const correctionLine = z.strictObject({
  version: z.literal(VERSION).default(VERSION),
  /** The input: its name or path, as the command has it, or from the folder of the corrections. */
  file: z.string().min(1),
  /** Absent or `null` where the input has one sheet alone. */
  sheet: z.string().min(1).nullable().default(null),
  row: z.int().min(1),
  /** Header of the column. */
  column: z.string().trim().min(1),
  /** What the file holds; `null` for an empty cell. */
  was: cell,
  /** What counts in its place. */
  becomes: cell,
});

export type CorrectionLine = z.output<typeof correctionLine>;

/** Whether a line is of a form that only a later version understands. */
export const isOfLaterVersion = (line: unknown): boolean =>
  z.object({ version: z.number().gt(VERSION) }).safeParse(line).success;

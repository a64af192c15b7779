import { z } from 'zod';

/** Text as people write it in YAML: `1`, `true` and `new` are all meant as text where text is wanted. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]);

export type Scalar = z.output<typeof scalar>;

export const filled = z.string().refine((text) => text.trim() !== '', 'it must not be blank.');

/** Text in which white space counts, such as what stands between two parts. */
export const someText = z.string().refine((text) => text !== '', 'it must not be empty.');

export const columnName = filled.describe('Header of a column, exactly as it stands in the file.');

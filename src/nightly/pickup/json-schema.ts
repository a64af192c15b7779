import { z } from 'zod';
import { pickupFileSchema } from './schema.js';

/** JSON Schema (draft 7, which editors understand best) of a pickup file. */
export const pickupJsonSchema = (): Record<string, unknown> => ({
  title: 'cardline pickup',
  ...z.toJSONSchema(pickupFileSchema, { target: 'draft-7', io: 'input' }),
});

import { z } from 'zod';
import { installationSchema } from '../installation/schema.js';
import { mappingSchema } from './mapping.js';

/** JSON Schema (draft 7, which editors understand best) of a mapping file. */
export function mappingJsonSchema(): Record<string, unknown> {
  return jsonSchema(mappingSchema, 'cardline mapping');
}

/** JSON Schema (draft 7) of an installation file. */
export function installationJsonSchema(): Record<string, unknown> {
  return jsonSchema(installationSchema, 'cardline installation');
}

function jsonSchema(schema: z.ZodType, title: string): Record<string, unknown> {
  return { title, ...z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }) };
}

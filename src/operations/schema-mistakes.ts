import type { z } from 'zod';
import { ConfigurationError, type ConfigMistake } from '../core/errors.js';
import type { PlacedDocument } from '../config/document.js';
import { checkDocument } from '../config/check-document.js';

/** What is wrong with a value by a schema of the contract, in plain words. */
export function schemaMistakes(document: PlacedDocument, schema: z.ZodType): ConfigMistake[] {
  try {
    checkDocument(document, schema);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.mistakes.map((mistake) => ({ ...mistake, message: inWords(mistake.message) }));
  }
}

/** The contract's own messages name no subject, since elsewhere the field's name stands before them. */
function inWords(message: string): string {
  if (/^(must|is) /.test(message)) return `it ${message}.`;
  return message === 'Invalid ISO datetime'
    ? 'it must be a date and time with a time-zone offset, such as 2026-12-01T10:00:00+03:00.'
    : message;
}

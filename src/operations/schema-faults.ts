import type { z } from 'zod';
import { ConfigurationError, type ConfigurationFault } from '../core/errors.js';
import type { PlacedDocument } from '../config/document.js';
import { checkDocument } from '../config/faults.js';

/** What is wrong with a value by a schema of the contract, in plain words. */
export function schemaFaults(document: PlacedDocument, schema: z.ZodType): ConfigurationFault[] {
  try {
    checkDocument(document, schema);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map((fault) => ({ ...fault, message: inWords(fault.message) }));
  }
}

/** The contract's own messages name no subject, since elsewhere the field's name stands before them. */
function inWords(message: string): string {
  if (/^(must|is) /.test(message)) return `it ${message}.`;
  return message === 'Invalid ISO datetime'
    ? 'it must be a date and time with a time-zone offset, such as 2026-12-01T10:00:00+03:00.'
    : message;
}

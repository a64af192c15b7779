import { z } from 'zod';
import { MODE_TRAITS, type Mode, MODES } from '../core/mode.js';
import type { PlacedDocument } from '../config/document.js';
import { checkDocument } from '../config/check-document.js';
import { type Mapping, mappingSchema, mappingSchemas } from './mapping.js';
import { modeWording } from './mode-wording.js';
import { refuseOtherFile } from '../config/other-file.js';
import type { Path } from '../config/path.js';
import { keysAt } from '../config/schema-keys.js';

/** A mapping file that has been checked. */
export interface CheckedMapping {
  readonly mapping: Mapping;
  /** The file, without what is ignored. */
  readonly document: PlacedDocument;
  /** Whether the mapping was written for another mode. */
  readonly borrowed: boolean;
}

const ownMode = z.looseObject({ mode: z.enum(MODES).default('create') });

/**
 * Checks a mapping file against its mode, or against another one that is wanted. In its own mode a mapping has no part
 * that is not used, lest somebody believe that it is sent. What it has for its own mode alone is ignored when another
 * one is wanted, so that clients can be enqueued or deleted by the mapping that created them.
 * @throws ConfigurationError with every mistake; of a mode that does not exist no other, since nobody can tell them
 */
export function checkMapping(document: PlacedDocument, wanted?: Mode): CheckedMapping {
  refuseOtherFile(document, 'mapping');
  const own = checkDocument(document, ownMode).mode;
  const mode = wanted ?? own;
  const borrowed = mode !== own;
  const suited = borrowed ? { ...document, value: suitedTo(mode, document.value) } : document;
  const schema: (typeof mappingSchemas)[Mode] = mappingSchemas[mode];
  return { mapping: checkDocument(suited, schema, modeWording(mode)), document: suited, borrowed };
}

function suitedTo(mode: Mode, written: unknown): unknown {
  const { duplicates, ...value } = withoutUnused(mode, written, []) as Record<string, unknown>;
  const { hasPhones, enqueues } = MODE_TRAITS[mode];
  const inFile = enqueues ? duplicates : withinFile(duplicates);
  const kept = hasPhones ? inFile : withoutPhones(inFile);
  return { ...value, ...(kept === undefined ? {} : { duplicates: kept }), mode };
}

/** A rule of duplicates as a mode has it whose rows are not compared with earlier runs. */
function withinFile(duplicates: unknown): unknown {
  if (typeof duplicates !== 'object' || duplicates === null || !('within' in duplicates))
    return duplicates;
  const { within: _, ...kept } = duplicates;
  return kept;
}

/** A rule of duplicates as a mode has it that sends no phones; `undefined` where nothing is left of it. */
function withoutPhones(duplicates: unknown): unknown {
  if (typeof duplicates !== 'object' || duplicates === null || !('by' in duplicates))
    return duplicates;
  const { by } = duplicates;
  if (by === 'phone') return undefined;
  if (!Array.isArray(by)) return duplicates;
  const others = by.filter((kind) => kind !== 'phone');
  return others.length === 0 ? undefined : { ...duplicates, by: others };
}

/** Leaves out what other modes know and this one does not; what no mode knows is a mistake, and stays. */
function withoutUnused(mode: Mode, value: unknown, path: Path): unknown {
  if (Array.isArray(value)) {
    return value.map((inner, index) => withoutUnused(mode, inner, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return value;
  const used = keysAt(mappingSchemas[mode], path);
  const known = keysAt(mappingSchema, path);
  const kept = Object.entries(value).filter(([key]) => used.includes(key) || !known.includes(key));
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutUnused(mode, inner, [...path, key])]),
  );
}

import { z } from 'zod';
import type { Operation } from '../contract/shapes.js';
import { operations, type OperationName } from '../contract/operations.js';
import { ConfigurationError } from '../core/errors.js';
import { isRecord } from '../core/text.js';
import { parsePlaced, readDocument, type PlacedDocument, type Path } from '../config/document.js';

/** Where data comes from: a YAML or JSON file, or text that is at hand already, under the name that mistakes call it. */
export type DataSource =
  { readonly file: string } | { readonly name: string; readonly text: string };

/** Data of which every value still knows where it stands. @throws ConfigurationError when it cannot be read */
export async function readData(source: DataSource): Promise<PlacedDocument> {
  return 'file' in source ? readDocument(source.file) : parsePlaced(source.name, source.text);
}

/** A document whose value is an object. */
export interface PlacedObject extends PlacedDocument {
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Data as the body of an operation. Where the body is about a list, such as `clients`, the list alone will do, and so
 * will one element of it.
 */
export function asBody(document: PlacedDocument, name: OperationName): PlacedObject {
  const { value } = document;
  const list = listOf(name);
  if (list && Array.isArray(value)) return framed(document, { [list.name]: value }, 1);
  if (!isRecord(value)) {
    const { line, column } = document.placeOf([]);
    const message = 'it must be keys and values.';
    throw new ConfigurationError([{ file: document.file, line, column, message }]);
  }
  const has = (key: string): boolean => key in value;
  return list?.elementKeys.some(has) && !list.keys.some(has)
    ? framed(document, { [list.name]: [value] }, 2)
    : framed(document, value, 0);
}

/** `depth`: how many steps of a path lead through the frame. */
function framed(
  document: PlacedDocument,
  value: PlacedObject['value'],
  depth: number,
): PlacedObject {
  const inside = (path: Path): Path => path.slice(depth);
  return {
    file: document.file,
    text: document.text,
    value,
    placeOf: (path) => document.placeOf(inside(path)),
    placeOfKey: (path) => document.placeOfKey(inside(path)),
  };
}

interface List {
  readonly name: string;
  /** Keys of the body that holds the list. */
  readonly keys: readonly string[];
  readonly elementKeys: readonly string[];
}

function listOf(operationName: OperationName): List | undefined {
  const { body }: Operation = operations[operationName];
  if (!(body instanceof z.ZodObject)) return undefined;
  const keys = Object.keys(body.shape);
  const shape: Record<string, unknown> = body.shape;
  for (const name of keys) {
    const schema = shape[name];
    if (!(schema instanceof z.ZodArray) || !(schema.element instanceof z.ZodObject)) continue;
    return { name, keys, elementKeys: Object.keys(schema.element.shape) };
  }
  return undefined;
}

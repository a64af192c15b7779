import { z } from 'zod';
import { criterion } from '../contract/applications.js';
import { type Operation, syncIdentifiers } from '../contract/shapes.js';
import { operations, type OperationName } from '../contract/operations.js';

/** How a person gives a field of a request. */
export type FieldKind =
  | 'text'
  | 'integer'
  | 'boolean'
  /** One of a few words. */
  | 'choice'
  /** Synchronization identifiers (interface.md 2.1), as `name=value` texts. */
  | 'identifiers'
  /** A list of clients by their identifiers; the texts name one. */
  | 'clients'
  /** Custom card fields, as `name=value` texts. */
  | 'card'
  /** Filters (4.11), as texts such as `application.status = FAILED`. */
  | 'criteria'
  /** A campaign, by its id or its name. */
  | 'campaign'
  /** A campaign's task, by its id. */
  | 'task'
  /** Too much for a text of its own: it comes with the data. */
  | 'nested';

/** One field of an operation's request, as data. */
export interface Field {
  /** As the interface names it. */
  readonly name: string;
  readonly part: 'params' | 'query' | 'body';
  readonly kind: FieldKind;
  readonly required: boolean;
  /** One sentence. */
  readonly description: string;
  /** The words of a `choice`. */
  readonly choices?: readonly string[];
}

/** Where the identifiers of a GET stand: they are its whole query. */
export const QUERY_FIELD = 'syncIdentifiers';

/** The fields of an operation's request, read off the contract's table: path, query, body. Paging is not among them. */
export function fieldsOf(name: OperationName): Field[] {
  const { params, query, body }: Operation = operations[name];
  return [
    ...fieldsIn('params', params?.shape),
    ...(query instanceof z.ZodRecord ? fieldsIn('query', { [QUERY_FIELD]: syncIdentifiers }) : []),
    ...(body instanceof z.ZodObject ? fieldsIn('body', body.shape) : []),
  ];
}

/** Whether an operation answers with a list. */
export function isList(name: OperationName): boolean {
  const { response }: Operation = operations[name];
  return response instanceof z.ZodArray;
}

function fieldsIn(part: Field['part'], shape: Readonly<Record<string, unknown>> = {}): Field[] {
  return Object.entries(shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodType ? [fieldOf(part, name, schema)] : [],
  );
}

function fieldOf(part: Field['part'], name: string, schema: z.ZodType): Field {
  const inner = unwrapped(schema);
  const choices = inner instanceof z.ZodEnum ? inner.options.map(String) : undefined;
  return {
    name,
    part,
    kind: kindOf(name, inner),
    required: !schema.safeParse(undefined).success,
    description: schema.description ?? `${words(name)}.`,
    ...(choices && { choices }),
  };
}

/** The path of 4.9 spells it in its own way. */
const CAMPAIGN: ReadonlySet<string> = new Set(['campaignId', 'campaigId']);

function kindOf(name: string, schema: z.ZodType): FieldKind {
  if (CAMPAIGN.has(name)) return 'campaign';
  if (name === 'taskId') return 'task';
  if (schema === syncIdentifiers) return 'identifiers';
  if (schema instanceof z.ZodRecord) return 'card';
  if (schema instanceof z.ZodArray) return listKind(schema.element);
  if (schema instanceof z.ZodEnum) return 'choice';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodNumber) return 'integer';
  return schema instanceof z.ZodString || schema instanceof z.ZodStringFormat ? 'text' : 'nested';
}

function listKind(element: unknown): FieldKind {
  if (element === criterion) return 'criteria';
  const shape = element instanceof z.ZodObject ? Object.values(element.shape) : [];
  return shape.length === 1 && shape[0] === syncIdentifiers ? 'clients' : 'nested';
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)) return schema;
  const inner = schema.unwrap();
  return inner instanceof z.ZodType ? unwrapped(inner) : schema;
}

/** `emailAddress` -> `Email address`. */
function words(name: string): string {
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

import { z } from 'zod';
import { criterion } from './applications.js';
import { callback } from './callbacks.js';
import { listedCampaign, newCampaign } from './campaign.js';
import { operations } from './operations.js';
import type { Operation } from './operation.js';
import * as shapes from './shapes.js';

/** A JSON Schema, or any other part of an OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

const PLACE = '#/components/schemas/';

/** Names of the shapes that several operations share. */
const shared: Readonly<Record<string, z.ZodType>> = {
  SyncIdentifiers: shapes.syncIdentifiers,
  Client: shapes.client,
  Phone: shapes.phone,
  Address: shapes.address,
  Email: shapes.email,
  CardFields: shapes.cardFields,
  CallApplication: shapes.callApplication,
  Criterion: criterion,
  NewCampaign: newCampaign,
  Campaign: listedCampaign,
  Callback: callback,
  ErrorMessage: shapes.errorMessageBody,
  Errors: shapes.errorsBody,
};

const registry = makeRegistry();

function makeRegistry(): z.core.$ZodRegistry<{ id: string }> {
  const made = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(shared)) made.add(schema, { id });
  const table: [string, Operation][] = Object.entries(operations);
  for (const [name, { body, response }] of table) {
    const title = name.charAt(0).toUpperCase() + name.slice(1);
    if (body !== undefined && !made.has(body)) made.add(body, { id: `${title}Request` });
    if (response !== undefined) made.add(response, { id: `${title}Response` });
  }
  return made;
}

/** Every schema of the document by its name, for `components.schemas`. */
export function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(registry, { io: 'input', override, uri: (id) => PLACE + id });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]));
}

/** A reference to the component of a schema that the table or the shared shapes name. */
export function reference(schema: z.ZodType): Json {
  const id = registry.get(schema)?.id;
  if (id === undefined) throw new TypeError('the schema has no name in the document');
  return { $ref: PLACE + id };
}

/** A schema written out where it is used, such as that of a parameter. */
export function inline(schema: z.ZodType): Json {
  return bare(z.toJSONSchema(schema, { io: 'input', override }));
}

/** Dialect and identifier belong to documents of their own. */
function bare(schema: Json): Json {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;
const notBlank = shapes.filledText.def.checks?.[0];

/** Says what zod cannot: the rules that are functions; and leaves out the bounds that every safe integer has. */
const override: Override = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const checks: readonly unknown[] = zodSchema._zod.def.checks ?? [];
  if (checks.includes(notBlank)) jsonSchema.pattern = '\\S';
  if (zodSchema === shapes.syncIdentifiers) jsonSchema.minProperties = 1;
};

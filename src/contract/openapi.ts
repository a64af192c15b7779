import {
  type Operation,
  errorMessageBody,
  errorsBody,
  operations,
  criterion,
  callback,
  listedCampaign,
  newCampaign,
  address,
  callApplication,
  cardFields,
  client,
  email,
  filledText,
  phone,
  syncIdentifiers,
} from './operations.js';
import { z } from 'zod';

/** Where the sandbox listens unless it is reported otherwise. */
const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';

/** The interface as an OpenAPI 3.1 document, made from the table of operations. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Contact-Center Client and Telemarketing Campaign Interface',
      version: '1',
      description: 'Client cards, call applications, telemarketing campaigns and callbacks.',
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: DEFAULT_BASE_URL } } }],
    tags: tags(),
    paths: paths(),
    components: { schemas: componentSchemas() },
  };
}

function tags(): Json[] {
  const names = new Set(Object.values(operations).map(({ tag }) => tag));
  return [...names].map((name) => ({ name }));
}

function paths(): Json {
  const table: [string, Operation][] = Object.entries(operations);
  const made: Record<string, Record<string, Json>> = {};
  for (const [name, operation] of table) {
    const methods = (made[operation.path] ??= {});
    methods[operation.method.toLowerCase()] = operationObject(name, operation);
  }
  return made;
}

/** One operation as OpenAPI writes it; `name` is its key in the table. */
function operationObject(name: string, operation: Operation): Json {
  const parameters = [...pathParameters(operation), ...queryParameters(operation)];
  return {
    operationId: name,
    summary: operation.summary,
    description: `Section ${operation.section} of the interface.`,
    tags: [operation.tag],
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body !== undefined && {
      requestBody: { required: true, content: json(reference(operation.body)) },
    }),
    responses: { [operation.status ?? 200]: success(operation), default: failure(operation) },
  };
}

const json = (schema: Json): Json => ({ 'application/json': { schema } });

function pathParameters({ params }: Operation): Json[] {
  const shape: Record<string, z.ZodType> = params?.shape ?? {};
  return Object.entries(shape).map(([name, schema]) => parameter('path', name, schema));
}

function queryParameters({ query, fixedQuery = {} }: Operation): Json[] {
  const fixed = Object.entries(fixedQuery).map(([name, value]) =>
    parameter('query', name, z.literal(value)),
  );
  if (query === undefined) return fixed;
  if (query instanceof z.ZodRecord) return [...fixed, freeQuery(query)];
  const shape: Record<string, z.ZodType> = query.shape;
  return [
    ...fixed,
    ...Object.entries(shape).map(([name, schema]) => parameter('query', name, schema)),
  ];
}

function parameter(place: 'path' | 'query', name: string, schema: z.ZodType): Json {
  const { description, ...rest } = inline(schema);
  const required = place === 'path' || !schema.safeParse(undefined).success;
  return {
    name,
    in: place,
    required,
    ...(description !== undefined && { description }),
    schema: rest,
  };
}

/** Parameters whose names the card configuration gives: one for each field of the object. */
function freeQuery(query: z.ZodRecord): Json {
  return {
    name: 'syncIdentifiers',
    in: 'query',
    required: true,
    style: 'form',
    explode: true,
    description: 'One parameter for each synchronization identifier of the card configuration.',
    schema: { ...inline(query), minProperties: 1 },
  };
}

function success({ response }: Operation): Json {
  return response === undefined
    ? { description: 'An acknowledgement, whose form the interface does not show.' }
    : { description: 'Success.', content: json(reference(response)) };
}

function failure({ failure: shape, messages = [] }: Operation): Json {
  const named = messages.map((message) => `\`${message}\``).join(', ');
  const whole = reference(errorMessageBody);
  return {
    description: `Failure; the interface does not show the status.${named && ` Messages: ${named}.`}`,
    content: json(shape === 'errors' ? { anyOf: [reference(errorsBody), whole] } : whole),
  };
}

/** A JSON Schema, or any other part of an OpenAPI document. */
type Json = Readonly<Record<string, unknown>>;

const PLACE = '#/components/schemas/';

/** Names of the shapes that several operations share. */
const shared: Readonly<Record<string, z.ZodType>> = {
  SyncIdentifiers: syncIdentifiers,
  Client: client,
  Phone: phone,
  Address: address,
  Email: email,
  CardFields: cardFields,
  CallApplication: callApplication,
  Criterion: criterion,
  NewCampaign: newCampaign,
  Campaign: listedCampaign,
  Callback: callback,
  ErrorMessage: errorMessageBody,
  Errors: errorsBody,
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
function componentSchemas(): Json {
  const { schemas } = z.toJSONSchema(registry, { io: 'input', override, uri: (id) => PLACE + id });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]));
}

/** A reference to the component of a schema that the table or the shared shapes name. */
function reference(schema: z.ZodType): Json {
  const id = registry.get(schema)?.id;
  if (id === undefined) throw new TypeError('the schema has no name in the document');
  return { $ref: PLACE + id };
}

/** A schema written out where it is used, such as that of a parameter. */
function inline(schema: z.ZodType): Json {
  return bare(z.toJSONSchema(schema, { io: 'input', override }));
}

/** Dialect and identifier belong to documents of their own. */
function bare(schema: Json): Json {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  return rest;
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;
const notBlank = filledText.def.checks?.[0];

/** Says what zod cannot: the rules that are functions; and leaves out the bounds that every safe integer has. */
const override: Override = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  const checks: readonly unknown[] = zodSchema._zod.def.checks ?? [];
  if (checks.includes(notBlank)) jsonSchema.pattern = '\\S';
  if (zodSchema === syncIdentifiers) jsonSchema.minProperties = 1;
};

import { z } from 'zod';
import { inline, reference, type Json } from './openapi-schemas.js';
import type { Operation } from './operation.js';
import { errorMessageBody, errorsBody } from './shapes.js';

/** One operation as OpenAPI writes it; `name` is its key in the table. */
export function operationObject(name: string, operation: Operation): Json {
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

import { componentSchemas, type Json } from './openapi-schemas.js';
import { operationObject } from './openapi-operation.js';
import type { Operation } from './operation.js';
import { operations } from './operations.js';

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

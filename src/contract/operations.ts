import type { z } from 'zod';
import { applicationOperations } from './applications.js';
import { callbackOperations } from './callbacks.js';
import { campaignOperations } from './campaigns.js';
import { clientOperations } from './clients.js';
import type { Operation } from './operation.js';

/** The whole interface: 24 operations, in the order of interface.md. Everything else is derived from it. */
export const operations = {
  ...clientOperations,
  ...applicationOperations,
  ...campaignOperations,
  ...callbackOperations,
} as const satisfies Record<string, Operation>;

export type Operations = typeof operations;
export type OperationName = keyof Operations;

type Part<O, K extends string> =
  O extends Record<K, infer S extends z.ZodType> ? Record<K, z.input<S>> : unknown;

/** What a caller gives to an operation: its path parameters, query and body, as far as it has them. */
export type OperationInput<N extends OperationName> = Part<Operations[N], 'params'> &
  Part<Operations[N], 'query'> &
  Part<Operations[N], 'body'>;

/** What an operation resolves with; `undefined` where the interface shows no form of the acknowledgement. */
export type OperationOutput<N extends OperationName> = Operations[N] extends {
  response: infer R extends z.ZodType;
}
  ? z.output<R>
  : undefined;

import { z } from 'zod';
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from '../contract/operations.js';
import type { Refusal } from './refusal.js';

/** Bodies of the operations that validate each client by itself: only the frame is checked for the whole request. */
export const FRAMES = {
  addClients: z.object({
    clients: z.array(z.unknown()),
    recovery: operations.addClients.body.shape.recovery,
  }),
  addApplications: operations.addApplications.body.extend({ clients: z.array(z.unknown()) }),
} as const satisfies Partial<Record<OperationName, z.ZodType>>;

type Frames = typeof FRAMES;

/** What a handler is given: the checked parameters, query and body of its operation. */
export type HandlerInput<N extends OperationName> = N extends keyof Frames
  ? Omit<OperationInput<N>, 'body'> & { body: z.output<Frames[N]> }
  : OperationInput<N>;

/**
 * Carries out an operation. What it does is kept when it returns, a `Refusal` included, and undone when it throws.
 * `undefined` becomes the operation's acknowledgement.
 */
export type Handler<N extends OperationName> = (
  input: HandlerInput<N>,
) => OperationOutput<N> | Refusal;

export type Handlers = { readonly [N in OperationName]: Handler<N> };

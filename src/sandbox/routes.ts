import type { FastifyInstance, FastifyReply } from 'fastify';
import { operations, type OperationName } from '../contract/operations.js';
import type { Operation } from '../contract/operation.js';
import { inputCheck } from './check-input.js';
import { FRAMES, type Handlers } from './handler.js';
import { Refusal } from './refusal.js';

/** Does something whole or, when it throws, not at all. */
export type Atomically = <T>(work: () => T) => T;

// Object.keys forgets what the keys are.
const NAMES = Object.keys(operations) as OperationName[];
const frames: Partial<Record<OperationName, (typeof FRAMES)[keyof typeof FRAMES]>> = FRAMES;

/** Gives the server a route for each operation of the contract. Each request is one transaction. */
export function addRoutes(
  server: FastifyInstance,
  handlers: Handlers,
  atomically: Atomically,
): void {
  for (const name of NAMES) addRoute(server, name, handlers, atomically);
}

function addRoute(
  server: FastifyInstance,
  name: OperationName,
  handlers: Handlers,
  atomically: Atomically,
): void {
  const operation: Operation = operations[name];
  const check = inputCheck(operation, frames[name]);
  // The check makes sure that a handler is given what it takes, which no type can follow for a name not yet known.
  const handler = handlers[name] as (input: unknown) => unknown;
  server.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    handler: ({ params, query, body }, reply) => {
      return answer(
        operation,
        atomically(() => handler(check({ params, query, body }))),
        reply,
      );
    },
  });
}

/** Acknowledgements: the word Created where 201 is shown, `"OK"` elsewhere. */
function answer(operation: Operation, output: unknown, reply: FastifyReply): FastifyReply {
  if (output instanceof Refusal) return reply.code(output.status).send(output.body);
  void reply.code(operation.status ?? 200);
  if (output !== undefined) return reply.send(output);
  if (operation.status === 201) return reply.type('text/plain').send('Created');
  return reply.type('application/json; charset=utf-8').serializer(String).send('"OK"');
}

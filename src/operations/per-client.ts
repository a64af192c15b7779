import { z } from 'zod';
import { type OperationName, operations } from '../contract/operations.js';
import { SUCCESS } from '../contract/shapes.js';
import { EXIT, type ExitCode } from '../core/errors.js';
import { isObject } from './data.js';

/** What an answer says of the clients of a request, where it validates them one by one (interface.md 4.1 and 4.9). */
export interface Verdict {
  /** The contact center's own words, each for one client. */
  readonly refused: readonly string[];
  /** Clients without a result that can be trusted. */
  readonly unknown: readonly string[];
}

const NOTHING_WRONG: Verdict = { refused: [], unknown: [] };

/** Validates the answer to an operation that was given this body. */
export function verdictOf(name: OperationName, body: unknown, answer: unknown): Verdict {
  if (name === 'addClients') return created(clientsIn(body), answer);
  if (name === 'addApplications') return added(clientsIn(body), answer);
  return NOTHING_WRONG;
}

/** 0: all is well; 2: some were refused; 3: of some it is not known. */
export function exitCodeOf({ refused, unknown }: Verdict): ExitCode {
  if (unknown.length > 0) return EXIT.stopped;
  return refused.length > 0 ? EXIT.rows : EXIT.ok;
}

function created(clients: readonly unknown[], answer: unknown): Verdict {
  const { createResult } = operations.addClients.response.parse(answer);
  const refused: string[] = [];
  const unknown: string[] = [];
  clients.forEach((client, index) => {
    const uuid = isObject(client) ? client['uuid'] : undefined;
    const results = createResult.filter((result) => result.uuid === uuid);
    const who = clients.length === 1 ? '' : `client ${index + 1} (uuid ${String(uuid)}): `;
    const [one] = results;
    if (one === undefined || results.length > 1) {
      const given = one === undefined ? 'nothing' : 'several things';
      unknown.push(
        `${who}the answer says ${given} of this client; whether it was created is not known.`,
      );
    } else if (one.result !== SUCCESS) refused.push(who + one.result);
  });
  return { refused, unknown };
}

function added(clients: readonly unknown[], answer: unknown): Verdict {
  const errors = operations.addApplications.response.parse(answer).errors ?? [];
  const refused = errors.map(({ clientIdentifiers, errorMessage }) =>
    clients.length === 1 ? errorMessage : `${pairs(clientIdentifiers)}: ${errorMessage}`,
  );
  return { refused, unknown: [] };
}

const clientsIn = (body: unknown): readonly unknown[] =>
  z.object({ clients: z.array(z.unknown()) }).parse(body).clients;

/** `offerId=7, offerDomain=shop`. */
const pairs = (identifiers: Readonly<Record<string, unknown>>): string =>
  Object.entries(identifiers)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');

import { env as processEnv } from 'node:process';
import {
  type ContactCenter,
  type ExchangeEvent,
  createContactCenter,
} from '../../client/contact-center.js';
import type { MayBegin, SharedPermits } from '../../core/ledger.js';
import type { Installation } from '../../installation/installation.js';
import { maxConcurrency } from './max-concurrency.js';
import type { RunOptions } from '../requests.js';

/** A contact center's client, and who learns of its answers. */
export interface Connection {
  readonly center: ContactCenter;
  onAnswer: (answer: ExchangeEvent) => void;
  /** What a first request has shown: nothing as yet, that it may be a contact center, or that it surely is one. */
  known: 'not asked' | 'perhaps' | 'surely';
  /** What other machines have a part in; absent where this process alone counts. */
  shared?: SharedPermits | undefined;
  /** Of the runs that are at work on it: each is asked right before a request is written whether it still may be. */
  readonly gates: Set<MayBegin>;
}

/** @throws ConfigurationError when the installation's connection cannot be set up */
export function connect(request: RunOptions, installation: Installation): Connection {
  const { observer } = request;
  // Another address is a sandbox on this machine: a proxy would not find it.
  const { proxy: _, ...direct } = installation.transport;
  const transport = request.baseUrl === undefined ? installation.transport : direct;
  const connection: Connection = {
    known: 'not asked',
    gates: new Set(),
    onAnswer: (_answer: ExchangeEvent): void => undefined,
    center: createContactCenter(
      { ...installation, transport },
      {
        env: request.env ?? processEnv,
        ...(request.baseUrl === undefined ? {} : { baseUrl: request.baseUrl }),
        connections: maxConcurrency({ request, installation }),
        onAnswer: (answer) => {
          observer?.onRequest?.(answer);
          connection.onAnswer(answer);
        },
        ...(observer && {
          onNoAnswer: (request) => {
            observer.onRequest?.(request);
          },
        }),
        mayBegin: () => {
          for (const gate of connection.gates) {
            const may = gate();
            if (may !== true) return may;
          }
          return true;
        },
      },
    ),
  };
  return connection;
}

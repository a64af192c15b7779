import {
  operations,
  type OperationInput,
  type OperationName,
  type OperationOutput,
} from '../contract/operations.js';
import type { Installation } from '../installation/installation.js';
import { buildRequest, wrapBody, type RawInput } from './request.js';
import { createSender, type CallOptions, type Sender, type SenderOptions } from './sender.js';

export type ContactCenterOptions = SenderOptions;
export type { CallOptions, ExchangeEvent } from './sender.js';

/** One method for each operation of the contract's table. */
export type Methods = {
  readonly [N in OperationName]: (
    input: OperationInput<N>,
    options?: CallOptions,
  ) => Promise<OperationOutput<N>>;
};

/**
 * A contact center over HTTP: one method for each operation of the interface. Each checks its input (InvalidInputError)
 * and its answer, and rejects with a ContactCenterError that says what the caller can do.
 */
export interface ContactCenter extends Methods {
  /** Sends a body that is JSON already, unchecked; all else is as with the operation's own method. */
  sendPrepared<N extends OperationName>(
    name: N,
    input: Omit<OperationInput<N>, 'body'>,
    body: Uint8Array,
    options?: CallOptions,
  ): Promise<OperationOutput<N>>;
  /** Waits for the requests under way and closes the connections. */
  close(): Promise<void>;
}

/**
 * Makes the client of one contact center. Nothing is sent before the first call.
 * @throws ConfigurationError when an address, a header, a variable of the environment or a certificate is wrong.
 */
export function createContactCenter(
  installation: Installation,
  options: ContactCenterOptions = {},
): ContactCenter {
  const sender = createSender(installation, options);
  return {
    ...methods(sender),
    sendPrepared: async <N extends OperationName>(
      name: N,
      input: Omit<OperationInput<N>, 'body'>,
      body: Uint8Array,
      call?: CallOptions,
    ) =>
      (await sender.send(
        name,
        wrapBody(name, input, body, call?.extras?.query),
        call,
      )) as OperationOutput<N>,
    close: () => sender.close(),
  };
}

/** `new ContactCenter(installation)`, for whoever expects a class: the same as `createContactCenter`. */
interface ContactCenterConstructor {
  /** @throws ConfigurationError as `createContactCenter` does */
  new (installation: Installation, options?: ContactCenterOptions): ContactCenter;
}

/** A function that is called with `new` and returns an object gives that object. */
function construct(installation: Installation, options?: ContactCenterOptions): ContactCenter {
  return createContactCenter(installation, options);
}

export const ContactCenter = construct as unknown as ContactCenterConstructor;

/** Derives the methods by iterating over the table; its types are read off the same table, so they agree. */
function methods(sender: Sender): Methods {
  const names = Object.keys(operations) as OperationName[];
  const entries = names.map((name) => [
    name,
    async (input: RawInput, call?: CallOptions) =>
      sender.send(name, buildRequest(name, input, call?.extras), call),
  ]);
  return Object.fromEntries(entries) as Methods;
}

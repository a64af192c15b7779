import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { parseHours } from '../core/hours.js';
import type { CardField, Installation, Limits, Transport } from '../core/installation.js';
import { readDocument } from './document.js';
import { checkDocument } from './faults.js';
import { installationSchema } from './installation-schema.js';

type Written = z.output<typeof installationSchema>;

/**
 * Reads an installation file (YAML or JSON) and fills in the defaults. `${NAME}` in header values stays as it is.
 * File names in `transport` are taken relative to the installation file.
 * @throws ConfigurationError with every fault: file, line, column, and what would be right.
 */
export async function loadInstallation(file: string): Promise<Installation> {
  const written = checkDocument(await readDocument(file), installationSchema);
  return {
    name: written.name,
    baseUrl: written.baseUrl.replace(/\/+$/, ''),
    headers: written.headers ?? {},
    card: cardOf(written.card),
    clientRoles: written.clientRoles,
    limits: limitsOf(written.limits),
    transport: transportOf(written.transport, dirname(file)),
    recovery: written.recovery,
    ...(written.ledger === undefined ? {} : { ledger: resolve(dirname(file), written.ledger) }),
    sandbox: { blacklist: (written.sandbox?.blacklist ?? []).map(String) },
  };
}

function limitsOf({ hours: text, ...limits }: NonNullable<Written['limits']> = {}): Limits {
  if (text === undefined) return limits;
  const hours = parseHours(text);
  if ('fault' in hours) throw new TypeError(hours.fault);
  return { ...limits, hours };
}

function cardOf(card: Written['card']): Record<string, CardField> {
  return Object.fromEntries(
    Object.entries(card).map(([name, field]) => [
      name,
      { ...field, values: field.values?.map(String) },
    ]),
  );
}

function transportOf(written: Written['transport'], folder: string): Transport {
  const inFolder = (name: string | undefined) =>
    name === undefined ? undefined : resolve(folder, name);
  const transport = written ?? installationSchema.shape.transport.unwrap().parse({});
  return {
    ...transport,
    caFile: inFolder(transport.caFile),
    certFile: inFolder(transport.certFile),
    keyFile: inFolder(transport.keyFile),
  };
}

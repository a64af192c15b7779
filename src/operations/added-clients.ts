import { randomUUID } from 'node:crypto';
import type { Installation } from '../installation/installation.js';
import { DEFAULT_RECOVERY } from '../installation/recovery.js';
import type { RequestExtras } from '../client/request.js';
import { isObject } from './data.js';
import type { AddMistake } from './add-mistake.js';

type Body = Readonly<Record<string, unknown>>;

/** What a client that is written by hand may leave out: its uuid is made up; it has no addresses and no e-mails. */
export function completed(body: Body): Body {
  const { clients } = body;
  if (!Array.isArray(clients)) return body;
  const whole = clients.map((client: unknown) =>
    isObject(client) ? { uuid: randomUUID(), addresses: [], emails: [], ...client } : client,
  );
  return { ...body, clients: whole };
}

/** A uuid shows which result is whose, so it must be unique within a request (interface.md 2.2). */
export function checkUuids({ clients }: Body, addMistake: AddMistake): void {
  if (!Array.isArray(clients)) return;
  const uuids = clients.map((client: unknown) => isObject(client) && client['uuid']);
  const twice = uuids.find(
    (uuid, index) => typeof uuid === 'string' && uuids.indexOf(uuid) !== index,
  );
  if (typeof twice === 'string')
    addMistake(`two clients have the uuid "${twice}".`, 'Leave it out.');
}

/** Asks for the restoring of deleted clients at the place that the installation has for it, when it is wanted. */
export function placeRecovery(
  { recovery, ...body }: Body,
  installation: Pick<Installation, 'recovery'>,
): { readonly body: Body; readonly extras?: RequestExtras } {
  if (recovery !== true) return { body };
  const { in: place, name, value } = installation.recovery ?? DEFAULT_RECOVERY;
  if (place !== 'client') return { body, extras: { [place]: { [name]: value } } };
  const clients = Array.isArray(body['clients']) ? body['clients'] : [];
  const marked = clients.map((client: unknown) =>
    isObject(client) ? { ...client, [name]: value } : client,
  );
  return { body: { ...body, clients: marked } };
}

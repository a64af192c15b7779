/** The rules of sections 2.1, 2.2 and 4 of the interface, as the stand-in for a contact center checks them. */
export type Json = Record<string, unknown>;
export type CardRules = Readonly<Record<string, 'sync' | 'required' | 'optional'>>;

export interface CheckedRequest {
  readonly operation: string;
  readonly body: unknown;
  readonly query: URLSearchParams;
}

const PHONE_TYPES = ['MOB', 'HOME', 'WORK', 'FAX'];

export interface Rules {
  /** Field name to whether it is a synchronization identifier, required or neither. */
  readonly card: CardRules;
  readonly syncNames: readonly string[];
  readonly violations: string[];
}

/** Sections 2.1, 2.2 and 4: what a request may hold. */
export function check({ operation, body, query }: CheckedRequest, rules: Rules): void {
  const { violations } = rules;
  const at = (place: string): Checker => checker(`${operation} ${place}`, violations);
  if (operation === '4.1') checkClients(body, rules, at);
  if (operation === '4.7') {
    at('body').keys(body, ['syncIdentifiers']);
    checkIdentifiers(record(body)['syncIdentifiers'], rules, at('syncIdentifiers'));
  }
  if (operation === '4.10') {
    at('body').keys(body, ['clientIdentifiers', 'cancelCallbacks']);
    checkIdentifiers(record(body)['clientIdentifiers'], rules, at('clientIdentifiers'));
  }
  if (operation === '4.8') {
    at('body').keys(body, ['clientSyncIdentifiers']);
    checkIdentifiers(record(body)['clientSyncIdentifiers'], rules, at('clientSyncIdentifiers'));
  }
  if (operation === '4.9') checkApplications(body, rules, at);
  if (operation === '4.12')
    checkIdentifiers(Object.fromEntries(query), rules, at('query parameters'));
  if (operation === '4.19') {
    const [limit, offset] = [query.get('limit') ?? '', query.get('offset') ?? '0'];
    at('limit').holds(/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100, limit);
    at('offset').holds(/^\d+$/.test(offset), offset);
    at('query').keys(Object.fromEntries(query), ['limit'], ['offset']);
  }
}

function checkClients(body: unknown, rules: Rules, at: (place: string) => Checker): void {
  at('body').keys(body, ['clients'], ['recovery']);
  const { clients, recovery } = record(body);
  if (recovery !== undefined) at('recovery').holds(typeof recovery === 'boolean');
  at('clients').holds(Array.isArray(clients) && clients.length > 0);
  const uuids = new Set<unknown>();
  for (const [index, client] of array(clients).entries()) {
    checkClient(client, rules, (place) => at(`clients[${index}]${place}`));
    const { uuid } = record(client);
    at(`clients[${index}].uuid`).holds(!uuids.has(uuid), 'stands twice in the request');
    uuids.add(uuid);
  }
}

function checkClient(value: unknown, rules: Rules, at: (place: string) => Checker): void {
  at('').keys(value, [
    'uuid',
    'clientRoleId',
    'type',
    'timeZone',
    'fields',
    'phones',
    'addresses',
    'emails',
  ]);
  const client = record(value);
  at('.uuid').holds(isFilled(client['uuid']));
  at('.clientRoleId').holds(Number.isSafeInteger(client['clientRoleId']));
  at('.type').holds(client['type'] === 'SIMPLE' || client['type'] === 'VIP');
  at('.timeZone').holds(isFilled(client['timeZone']) && String(client['timeZone']).length <= 25);
  checkFields(client['fields'], rules, (place) => at(`.fields${place}`));
  for (const list of ['phones', 'addresses', 'emails'])
    at(`.${list}`).holds(Array.isArray(client[list]));
  at('.phones').holds(array(client['phones']).length > 0, 'is empty');
  for (const phone of array(client['phones']))
    checkContact(phone, at('.phones'), 'phoneNumber', PHONE_TYPES, ['active', 'disabled']);
  for (const address of array(client['addresses']))
    checkContact(address, at('.addresses'), 'address', ['WORK', 'HOME'], ['active']);
  for (const email of array(client['emails']))
    checkContact(email, at('.emails'), 'email', null, ['active']);
}

function checkFields(fields: unknown, { card }: Rules, at: (place: string) => Checker): void {
  at('').holds(isRecord(fields));
  for (const [name, value] of Object.entries(record(fields))) {
    at(`.${name}`).holds(name in card, 'is no field of the card');
    const scalar = ['string', 'number', 'boolean'].includes(typeof value) || value === null;
    at(`.${name}`).holds(scalar && (typeof value !== 'number' || Number.isFinite(value)));
  }
  for (const [name, kind] of Object.entries(card)) {
    const value = record(fields)[name];
    if (kind === 'sync') at(`.${name}`).holds(isFilled(value) || Number.isSafeInteger(value));
    if (kind === 'required')
      at(`.${name}`).holds(value !== undefined && value !== null && textOf(value).trim() !== '');
  }
}

function checkContact(
  value: unknown,
  at: Checker,
  text: string,
  types: readonly string[] | null,
  flags: readonly string[],
): void {
  at.keys(value, types ? [text, 'type'] : [text], flags);
  const contact = record(value);
  at.holds(isFilled(contact[text]), `${text} is blank`);
  if (types) at.holds(types.includes(String(contact['type'])), `type ${String(contact['type'])}`);
  for (const flag of flags)
    at.holds(contact[flag] === undefined || typeof contact[flag] === 'boolean', flag);
}

function checkApplications(body: unknown, rules: Rules, at: (place: string) => Checker): void {
  at('body').keys(body, ['maxCallCount', 'clients'], ['disableDuplicatePhonesValidation']);
  const { maxCallCount, disableDuplicatePhonesValidation: flag, clients } = record(body);
  at('maxCallCount').holds(Number.isSafeInteger(maxCallCount) && Number(maxCallCount) >= 1);
  at('disableDuplicatePhonesValidation').holds(flag === undefined || typeof flag === 'boolean');
  at('clients').holds(Array.isArray(clients) && clients.length > 0);
  for (const client of array(clients)) {
    at('clients[]').keys(client, ['clientIdentifiers']);
    checkIdentifiers(record(client)['clientIdentifiers'], rules, at('clientIdentifiers'));
  }
}

function checkIdentifiers(value: unknown, { syncNames }: Rules, at: Checker): void {
  at.keys(value, syncNames);
  for (const name of syncNames) {
    const identifier = record(value)[name];
    at.holds(isFilled(identifier) || Number.isSafeInteger(identifier), name);
  }
}

interface Checker {
  holds(truth: boolean, what?: string): void;
  /** The value is an object with exactly these keys. */
  keys(value: unknown, required: readonly string[], optional?: readonly string[]): void;
}

/** The texts hold names of fields and never their values. */
function checker(place: string, violations: string[]): Checker {
  const holds = (truth: boolean, what = 'is not as the interface wants it'): void => {
    if (!truth) violations.push(`${place}: ${what}`);
  };
  return {
    holds,
    keys: (value, required, optional = []) => {
      holds(isRecord(value), 'is no object');
      const names = Object.keys(record(value));
      for (const name of required) holds(names.includes(name), `lacks ${name}`);
      for (const name of names)
        holds(required.includes(name) || optional.includes(name), `has the unknown key ${name}`);
    },
  };
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const record = (value: unknown): Json => (isRecord(value) ? value : {});
export const array = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

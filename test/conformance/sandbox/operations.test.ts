import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { InvalidInputError } from '../../../src/client/contact-center.js';
import {
  operations,
  type OperationName,
  MESSAGES,
  type Operation,
} from '../../../src/contract/operations.js';
import { RefusedError } from '../../../src/core/errors.js';
import {
  BLACKLISTED,
  client,
  identifiers,
  mobile,
  noClient,
  openWorld,
  type World,
} from './world.js';

/** Requests to every operation, as `operations.yaml` explains them: each as it is, and by the typed client. */
type Input = Readonly<Record<string, unknown>>;
interface Table {
  readonly right: Input;
  readonly status?: number;
  readonly answer?: unknown;
  /** The field that has the identifiers of a client. */
  readonly identifiers?: string;
  readonly optional?: readonly string[];
  readonly cases: readonly (readonly [
    title: string,
    changes: Input,
    status: number,
    answer: unknown,
  ])[];
}

interface Case {
  readonly name: OperationName;
  readonly title: string;
  readonly input: Input;
  readonly status: number;
  readonly body: unknown;
}

const text = readFileSync(join(import.meta.dirname, 'operations.yaml'), 'utf8');
const tables = parse(text, { merge: true }) as Record<OperationName, Table>;
const names = Object.keys(operations) as OperationName[];
const cases = names.flatMap((name) => casesOf(name, tables[name]));

function casesOf(name: OperationName, table: Table): Case[] {
  const { right, status = 200, answer = 'OK', optional = [] } = table;
  const { path }: Operation = operations[name];
  const lacking = Object.keys(right)
    .filter((field) => !optional.includes(field) && !path.includes(`{${field}}`))
    .map((field): Table['cases'][number] => [
      `no ${field}`,
      { [field]: null },
      ...([400, MESSAGES.fieldRequired(field)] as const),
    ]);
  const all = [
    ['what is right', {}, status, answer] as const,
    ...lacking,
    ...identified(table),
    ...table.cases,
  ];
  return all.map(([title, changes, code, told]) => {
    const input = { ...right, ...changes };
    const given = Object.entries(input).filter(([, value]) => value !== null);
    const isMessage = code >= 400 && typeof told === 'string';
    const body = isMessage ? { errorMessage: told } : told;
    return { name, title, input: Object.fromEntries(given), status: code, body };
  });
}

/** Identifiers in every form, for the operations that find a client by them. */
function identified({ identifiers: field, status = 200, answer = 'OK' }: Table): Table['cases'] {
  if (field === undefined) return [];
  const by = (value: unknown): Input => ({ [field]: value });
  const incomplete = [400, MESSAGES.identifiersMissing] as const;
  const { offerId, offerDomain } = identifiers(1);
  return [
    ['a number that came as text', by({ offerId: '1', offerDomain }), status, answer],
    ['an unknown client', by(identifiers(9)), 404, noClient(9)],
    [
      'a client of another domain',
      by({ offerId, offerDomain: 'SHOP.example' }),
      404,
      noClient(1).replace('shop', 'SHOP'),
    ],
    ['a deleted client', by(identifiers(4)), 404, noClient(4)],
    ['one identifier of two', by({ offerId }), ...incomplete],
    ['a blank identifier', by({ offerId, offerDomain: ' ' }), ...incomplete],
    ['an identifier that is null', by({ offerId: null, offerDomain }), ...incomplete],
    ['no identifiers', by({}), ...incomplete],
    [
      'text for identifiers',
      by('offerId=1'),
      400,
      `Field [${field}]: Invalid input: expected record, received string.`,
    ],
  ];
}

async function prepared(): Promise<World> {
  const world = await openWorld();
  await world.add([
    client(1, {
      type: 'VIP',
      emails: [{ email: 'a@example.org' }],
      addresses: [{ address: 'Here', type: 'WORK' }],
    }),
    client(2),
    client(3, mobile(BLACKLISTED)),
    client(4),
  ]);
  await world.delete(4);
  await world.haveCampaign();
  await world.enqueue(1, [1]);
  return world;
}

/** What an input is made of, of which the parameters stand in the path. */
function partsOf(name: OperationName, input: Input) {
  const { path, query, body }: Operation = operations[name];
  const all = Object.entries(input);
  const params = all.filter(([field]) => path.includes(`{${field}}`));
  const rest = Object.fromEntries(all.filter((entry) => !params.includes(entry)));
  return {
    params: Object.fromEntries(params),
    ...(query && { query: rest }),
    ...(body && { body: rest }),
  };
}

/** As a request that is written by hand. */
async function asItIs(world: World, { name, input }: Case) {
  const { method, path, fixedQuery }: Operation = operations[name];
  const { params, query, body } = partsOf(name, input);
  const search = new URLSearchParams(fixedQuery);
  for (const [key, value] of Object.entries(query ?? {}))
    for (const one of [value].flat()) search.append(key, String(one));
  const target = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(params[field]));
  return world.call(method, `${target}?${search.toString()}`, body);
}

type Call = (input: object) => Promise<unknown>;

/** By the typed client, as the answer that it gives or tells of; undefined where it sends nothing. */
async function byClient({ center }: World, { name, input }: Case) {
  const parts = partsOf(name, input);
  const call = (center[name] as Call)(parts).catch((error: unknown) => {
    // What is checked one by one may be wrong in a part, and is sent prepared.
    if (name !== 'addClients' && name !== 'addApplications') throw error;
    const body = new TextEncoder().encode(JSON.stringify(parts.body));
    const { params } = parts as { params: { campaigId: number } };
    return center.sendPrepared(name, { params }, body);
  });
  return call.then(
    (body) => ({ status: 200, body }),
    (error: unknown) => {
      if (error instanceof InvalidInputError) return undefined;
      if (!(error instanceof RefusedError)) throw error;
      return { status: error.status, body: { errorMessage: error.errorMessage } };
    },
  );
}

const isAcknowledged = (name: OperationName): boolean => !('response' in operations[name]);

describe('what is refused, and changes nothing', () => {
  let world: World;
  let before: unknown;
  const state = async () => [
    await Promise.all([1, 2, 3].map((offerId) => world.card(offerId))),
    await Promise.all([1, 2, 3].map((offerId) => world.applications(offerId))),
    await world.campaigns(),
  ];
  beforeAll(async () => {
    world = await prepared();
    before = await state();
  });
  afterAll(() => world.close());

  const refused = cases.filter(({ body }) => Object.keys(body as object)[0] === 'errorMessage');
  it.each(refused)('$name, $title', async (one) => {
    const { status, body } = await asItIs(world, one);
    expect({ status, body }).toEqual({ status: one.status, body: one.body });
    const told = await byClient(world, one);
    if (told) expect(told).toEqual({ status, body });
    else expect(status, 'only what is wrong in itself is not sent').toBe(400);
  });

  it('in clients, call applications and campaigns', async () => {
    expect(await state()).toEqual(before);
  });
});

describe('what is done', () => {
  const done = cases.filter(({ body }) => Object.keys(body as object)[0] !== 'errorMessage');
  it.each(done)('$name, $title', async (one) => {
    const [raw, typed] = [await prepared(), await prepared()];
    try {
      const { status, body } = await asItIs(raw, one);
      expect({ status, body }).toEqual({ status: one.status, body: one.body });
      const value = isAcknowledged(one.name) ? undefined : one.body;
      expect(await byClient(typed, one)).toEqual({ status: 200, body: value });
    } finally {
      await Promise.all([raw.close(), typed.close()]);
    }
  });
});

it('has every error text that the interface names for an operation', () => {
  expect(Object.keys(tables)).toEqual(names);
  for (const [name, { messages = [] }] of Object.entries<Operation>(operations)) {
    const own = JSON.stringify(cases.filter((one) => one.name === name).map(({ body }) => body));
    for (const message of messages) {
      const pattern = message.replace(/[[\].'()]/g, '\\$&').replace(/<\w+>/g, '[^"]+');
      expect(own, `${name}: ${message}`).toMatch(new RegExp(pattern));
    }
  }
});

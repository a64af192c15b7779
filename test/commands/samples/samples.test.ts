import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCenterPort, createContactCenter } from '../../../src/client/contact-center.js';
import { operations } from '../../../src/contract/operations.js';
import type { Client } from '../../../src/core/client.js';
import { readFactOf } from '../../../src/core/facts.js';
import type { Mode, Problem } from '../../../src/core/outcome.js';
import { identifiersOf } from '../../../src/core/prepared.js';
import type { Cell } from '../../../src/core/table.js';
import { screenChunk } from '../../../src/delivery/import.js';
import { loadInstallation } from '../../../src/installation/installation.js';
import { createSeenKeys } from '../../../src/lists/seen.js';
import type { Preparation } from '../../../src/prepare/plan.js';
import { openPreparation } from '../../../src/prepare/preparation.js';
import { problemText } from '../../../src/report/text/words.js';
import { rejectsWriter } from '../../../src/run/rejects.js';
import { startSandbox } from '../../../src/sandbox/sandbox.js';
import { prepareDemo } from '../../../src/setup/init.js';
import { openSource } from '../../../src/source/source.js';
import { root } from '../../kit/cardline.js';
import { folderOfTest } from '../../kit/folder.js';
import { tablesIn } from '../../kit/tables.js';

/** A sample, and what becomes of it by a mapping; `samples.yaml` says how it is written. */
interface Case {
  readonly sample: string;
  readonly mapping: string;
  readonly info?: object;
  readonly counts?: Partial<Record<Status, number>>;
  readonly faults?: Record<string, string>;
  readonly times?: Record<string, number>;
  readonly values?: Record<string, unknown[]>;
  readonly whole?: Record<number, object>;
  readonly parts?: Record<number, object>;
}
type Status = (typeof STATUS)[number] | 'duplicate';

const STATUS = ['client', 'rejected', 'filtered'] as const;
const path = (...names: string[]): string => join(root, ...names);
const installation = path('mappings/installation.yaml');
const cases = tablesIn(import.meta.dirname, 'samples.yaml') as readonly Case[];

function prepare(file: string, mapping: string, purpose: 'send' | 'check', mode?: Mode) {
  return openPreparation({
    ...{ mode, purpose, inputs: [{ path: file, name: file }], installation, source: {} },
    ...{ mapping: path('mappings', mapping), show: 0, share: { index: 0, of: 1 }, verify: true },
  });
}

interface Mapped {
  readonly input: Preparation['inputs'][number];
  readonly rows: readonly { row: number; status: Status; problems: readonly Problem[] }[];
  /** What would be sent for the rows that pass, and the JSON text of whom each is about. */
  readonly clients: readonly object[];
  readonly identifiers: readonly string[];
  /** Cells of the rejected rows. */
  readonly kept: readonly (readonly Cell[])[];
}

async function mapFile(file: string, mapping: string): Promise<Mapped> {
  const preparation = await prepare(file, mapping, 'send');
  const seen = createSeenKeys();
  const screen = { duplicates: preparation.duplicates, inputs: [file], seen };
  const found = { rows: [], clients: [], identifiers: [], kept: [] } as {
    -readonly [K in keyof Omit<Mapped, 'input'>]: Mapped[K][number][];
  };
  let number = 0;
  for await (const chunk of preparation.chunks()) {
    const { passed, duplicates } = screenChunk(screen, chunk, number++);
    const payloads = JSON.parse(`[${Buffer.from(chunk.clients.payload).toString()}]`) as object[];
    found.clients.push(...passed.map((index) => payloads[index]!));
    found.identifiers.push(...passed.map((index) => identifiersOf(chunk.clients, index)));
    const repeats = new Map(duplicates);
    for (const [at, [row, , , status, problems = []]] of readFactOf(chunk.read).rows.entries()) {
      const repeat = repeats.get(at);
      if (repeat) found.rows.push({ row, status: 'duplicate', problems: [repeat] });
      else found.rows.push({ row, status: STATUS[status], problems });
    }
  }
  seen.close();
  await preparation.close();
  const check = await prepare(file, mapping, 'check');
  for await (const chunk of check.chunks())
    found.kept.push(...chunk.kept.map(({ cells }) => cells));
  await check.close();
  return { input: preparation.inputs[0]!, ...found };
}

/** Row number to what is wrong with it. */
const faultsOf = ({ rows }: Mapped): Record<string, string> =>
  Object.fromEntries(
    rows
      .filter(({ status }) => status === 'rejected' || status === 'duplicate')
      .map(({ row, problems }) => [
        row,
        problems.map(({ column, code }) => (column ? `${column}: ${code}` : code)).join(', '),
      ]),
  );

const tally = (texts: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(texts)].map((one) => [one, texts.filter((t) => t === one).length]));

const valueAt = (client: unknown, keys: string): unknown =>
  keys.split('.').reduce((of, key) => (of as Record<string, unknown> | null)?.[key] ?? null, client);

const sampleOf = new Map<string, Promise<Mapped>>();
function mapped({ sample, mapping }: Case): Promise<Mapped> {
  const known = sampleOf.get(sample) ?? mapFile(path('samples', sample), mapping);
  sampleOf.set(sample, known);
  return known;
}
const clientsOf = async <P = Client>(sample: string): Promise<P[]> =>
  (await mapped(cases.find((one) => one.sample === sample)!)).clients as P[];

describe.each(cases)('$sample by $mapping', (one) => {
  it('ends as it was meant, row by row and client by client', async () => {
    const found = await mapped(one);
    if (one.info) expect(found.input.info).toMatchObject(one.info);
    if (one.counts) expect(tally(found.rows.map(({ status }) => status))).toEqual(one.counts);
    if (one.times) expect(tally(Object.values(faultsOf(found)))).toEqual(one.times);
    else expect(faultsOf(found)).toEqual(one.faults ?? {});
    const clients = found.clients.map((payload, at) => ({
      ...{ ...payload, payload, whom: JSON.parse(found.identifiers[at]!) as unknown },
    }));
    for (const [keys, values] of Object.entries(one.values ?? {}))
      expect([keys, clients.map((client) => valueAt(client, keys))]).toEqual([keys, values]);
    for (const [at, whole] of Object.entries(one.whole ?? {}))
      expect(found.clients[Number(at)]).toEqual(whole);
    for (const [at, part] of Object.entries(one.parts ?? {}))
      expect(clients[Number(at)]).toMatchObject(part);
  });

  it('has rejects that are read again with the same faults', async () => {
    const rejected = (sample: Mapped): string[] =>
      Object.values(faultsOf(sample)).filter((fault) => !fault.startsWith('duplicate'));
    const sample = await mapped(one);
    const file = join(folderOfTest(), 'rejects');
    const writer = await rejectsWriter(file, sample.input);
    const rows = sample.rows.filter(({ status }) => status === 'rejected');
    expect(sample.kept).toHaveLength(rows.length);
    for (const [at, { problems }] of rows.entries())
      await writer.write(sample.kept[at]!, 'rejected', problemText(problems));
    await writer.close();
    if (rows.length > 0)
      expect(rejected(await mapFile(file, one.mapping))).toEqual(rejected(sample));
  });
});

it('leads.csv has clients with several phones, and others of rank', async () => {
  const clients = await clientsOf('leads.csv');
  expect(clients.filter(({ phones }) => phones.length === 3).length).toBeGreaterThan(50);
  expect(clients.some(({ type }) => type === 'VIP')).toBe(true);
});

it('leads.csv is refused by the demo contact center where that was meant', async () => {
  const demo = await loadInstallation(installation);
  const sandbox = await startSandbox({ installation: demo, port: 0, database: ':memory:' });
  const center = createContactCenter(demo, { baseUrl: sandbox.url, env: {} });
  try {
    const { id } = await prepareDemo({
      ...{ installation: demo, baseUrl: sandbox.url, env: {}, campaign: 'Autumn leads' },
      existingClients: path('samples/existing-clients.json'),
    });
    const port = createCenterPort(center);
    const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
    const clients = await clientsOf('leads.csv');
    const [refused, notEnqueued]: [string[], string[]] = [[], []];
    for (let from = 0; from < clients.length; from += 200) {
      const batch = clients.slice(from, from + 200);
      const results = await port.addClients(json({ clients: batch }));
      refused.push(...results.map(({ result }) => result).filter((text) => text !== 'Success'));
      const failed = new Set(results.flatMap((r) => (r.result === 'Success' ? [] : r.uuid)));
      const applications = batch
        .filter(({ uuid }) => !failed.has(uuid))
        .map(({ fields: { offerId, offerDomain } }) => ({
          clientIdentifiers: { offerId, offerDomain },
        }));
      const settings = { maxCallCount: 3, disableDuplicatePhonesValidation: false };
      const errors = await port.addApplications(id, json({ ...settings, clients: applications }));
      notEnqueued.push(...errors.map(({ errorMessage }) => errorMessage));
    }
    expect(tally(refused.map((text) => text.replace(/\[.*\]/, '[…]')))).toEqual({
      'Client with identifiers: […] already exists': 6,
    });
    expect(tally(notEnqueued)).toEqual({ 'Client is in blacklist': 4, 'Client already exists': 3 });
  } finally {
    await center.close();
    await sandbox.close();
  }
});

it('leads.csv can be enqueued, dequeued and deleted by the mapping that creates them', async () => {
  for (const mode of ['enqueue', 'dequeue', 'delete'] as const) {
    const preparation = await prepare(path('samples/leads.csv'), 'leads.yaml', 'send', mode);
    let clients = 0;
    for await (const chunk of preparation.chunks()) clients += chunk.clients.at.length;
    await preparation.close();
    // Rows with a fault in anything but their identifiers go along.
    expect([mode, clients]).toEqual([mode, 1240 - 12 - 5]);
  }
});

it('leads-1251.csv is found to be what its mapping says, too', async () => {
  const { info } = await openSource(path('samples/leads-1251.csv'));
  expect(info).toMatchObject({ encoding: 'windows-1251', delimiter: ';' });
});

it('leads.xlsx has rich text, a formula and line breaks in its cells', async () => {
  const fields = (await clientsOf('leads.xlsx')).map((client) => client.fields);
  const offers = fields.map(({ offerId, offerDomain }) => [offerId, offerDomain]);
  expect(offers).toContainEqual([70301, 'shop.example.com']);
  expect(offers.filter(([offer]) => offer === 70302)).toHaveLength(1);
  expect(fields.map(({ comment }) => comment)).toContain('two\nlines');
});

it('nightly-1.csv and nightly-2.csv have nine clients in common, of which two have changed', async () => {
  const [first, second] = [await clientsOf('nightly-1.csv'), await clientsOf('nightly-2.csv')];
  const earlier = new Map(first.map((client) => [client.uuid, JSON.stringify(client)]));
  const common = second.filter(({ uuid }) => earlier.has(uuid));
  const changed = common.filter((client) => earlier.get(client.uuid) !== JSON.stringify(client));
  expect([common.length, changed.length]).toEqual([9, 2]);
});

it('callbacks.csv becomes callbacks as the interface wants them', async () => {
  const { clients, identifiers } = await mapped(
    cases.find(({ sample }) => sample === 'callbacks.csv')!,
  );
  for (const [at, callback] of clients.entries()) {
    const clientIdentifiers: unknown = JSON.parse(identifiers[at]!);
    const body = { ...callback, clientIdentifiers, campaignId: 1 };
    expect(operations.createCallback.body.safeParse(body).error).toBeUndefined();
  }
});

it('there is a case for every sample and mapping', () => {
  const besides = [
    ...['generate.mjs', 'existing-clients.json', 'installation.yaml', 'time-zones.csv'],
    // The lists of calling.csv and the calendar of hours.csv: test/delivery/calling has them from start to end.
    ...['calling', 'hours'],
  ];
  const files = [...readdirSync(path('samples')), ...readdirSync(path('mappings'))];
  const tested = new Set(cases.flatMap(({ sample, mapping }) => [sample, mapping]));
  expect(files.filter((file) => !besides.includes(file)).sort()).toEqual([...tested].sort());
});

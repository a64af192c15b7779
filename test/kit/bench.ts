import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { cardline, startCardline, type Ended } from './cardline.js';
import { type StandIn, type StandInOptions, startContactCenter } from './contact-center.js';

/** A credential that must never be seen anywhere but in a header. */
export const TOKEN = 'tok-5f2c-very-secret';
const ENVIRONMENT = { CARDLINE_TEST_TOKEN: TOKEN };

export const CARD = {
  offerId: 'sync',
  offerDomain: 'sync',
  fullName: 'required',
  segment: 'optional',
  comment: 'optional',
} as const;

export const MAPPING = `where: { column: Status, in: [new, open] }
client:
  clientRoleId: { value: 1 }
  type: { column: Tier, map: { Gold: VIP }, default: SIMPLE }
  timeZone: { column: TZ, default: Europe/Moscow }
  fields:
    offerId: Offer
    offerDomain: { column: Site, transform: [trim, lower] }
    fullName: { columns: [First, Last], join: " " }
    segment: { column: Segment, transform: [trim, lower] }
    comment: Comment
  phones:
    - { column: Mobile, type: MOB, transform: [{ phone: { country: RU } }] }
    - { column: Other, type: WORK, split: ";" }
  emails: [{ column: Mail }]
  addresses: [{ column: Address, type: HOME, active: false }]
`;

export const COLUMNS = [
  'Offer',
  'Site',
  'First',
  'Last',
  'Segment',
  'Comment',
  'Mobile',
  'Other',
  'Mail',
  'Address',
  'Tier',
  'TZ',
  'Status',
] as const;
export type LeadRow = Record<(typeof COLUMNS)[number], string>;

/** A good row, told by its number. */
export function lead(number: number, change: Partial<LeadRow> = {}): LeadRow {
  return {
    Offer: String(100_000 + number),
    Site: 'Shop.Example.com ',
    First: `Fedor${number}`,
    Last: 'Testoff, "the" Elder',
    Segment: number % 2 ? 'Cold' : ' warm',
    Comment: number % 3 ? '' : 'two\nlines',
    Mobile: `8 (916) ${String(1_000_000 + number).replace(/(\d{3})(\d\d)(\d\d)$/, '$1-$2-$3')}`,
    Other: number % 4 ? '' : `7495${1_000_000 + number};7499${1_000_000 + number}`,
    Mail: number % 5 ? '' : `fedor${number}@mail.example.com`,
    Address: number % 6 ? '' : 'Elm street 1',
    Tier: number % 7 ? '' : 'Gold',
    TZ: number % 8 ? '' : 'Asia/Omsk',
    Status: 'new',
    ...change,
  };
}

export const leads = (count: number): LeadRow[] =>
  Array.from({ length: count }, (_, index) => lead(index + 1));

export function csv(rows: readonly LeadRow[], delimiter = ','): string {
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)}\r\n`;
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => row[name]))].map(line).join('');
}

/** Identity of a lead as the stand-in's books have it. */
export const identityOf = ({ Offer, Site }: LeadRow): string =>
  JSON.stringify([Offer, Site.trim().toLowerCase()]);

export type Line = Record<string, string>;

/** The same of a line of the report. */
export const identityIn = ({ offerId = '', offerDomain = '' }: Line): string =>
  JSON.stringify([offerId, offerDomain]);

/** How an import ended, with all that it left behind. */
export interface Imported extends Ended {
  readonly out: string;
  readonly ledger: string;
  report(): Line[];
  rejects(name?: string): Line[];
  summary(): Summary;
  log(): string;
}

export interface Summary {
  readonly run: string;
  readonly rows: number;
  readonly outcomes: Record<string, number>;
  readonly requests: number;
  readonly retries: number;
  readonly seconds: number;
  readonly rowsPerSecond: number;
  readonly state: string;
}

export interface BenchOptions extends Pick<StandInOptions, 'duplicates'> {
  readonly transport?: string;
}

/** A folder, a stand-in, and imports between them. */
export interface Bench {
  readonly center: StandIn;
  /** What the installation's headers are filled from. */
  readonly environment: Readonly<Record<string, string>>;
  at(name: string): string;
  write(name: string, content: string | Buffer): Promise<string>;
  /** Writes rows, or so many good ones, as `leads.csv`. */
  list(rows: number | readonly LeadRow[], name?: string): Promise<string>;
  /** Any command, in the folder of the bench. */
  run(...args: readonly string[]): Promise<Ended>;
  /** Arguments of an import by `mapping.yaml` and `center.yaml`; the ledger and the reports get this name. */
  args(name: string, files: readonly string[], options?: readonly string[]): string[];
  /** `signal` ends it gently. */
  import(
    name: string,
    files: readonly string[],
    options?: readonly string[],
    signal?: AbortSignal,
  ): Promise<Imported>;
  start(
    name: string,
    files: readonly string[],
    options?: readonly string[],
  ): ReturnType<typeof startCardline>;
  imported(name: string, ended: Ended): Imported;
  close(): Promise<void>;
}

/** `limits` and `transport`: the installation's, as YAML. `duplicates`: the stand-in's. */
export async function openBench(
  limits = '{}',
  { transport = TRANSPORT, ...options }: BenchOptions = {},
): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'cardline-app-test-'));
  const campaigns = { 42: 'Autumn leads' };
  const center = await startContactCenter({ card: CARD, campaigns, ...options });
  const where = { cwd: folder, env: ENVIRONMENT };
  const at = (name: string): string => join(folder, name);
  const write = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(at(name), content);
    return at(name);
  };
  await write('mapping.yaml', MAPPING);
  await write('center.yaml', installation(center.url, limits, transport));
  const args: Bench['args'] = (name, files, options = []) => [
    'import',
    ...files,
    ...(options.includes('-m') ? [] : ['-m', at('mapping.yaml')]),
    ...(options.includes('-i') ? [] : ['-i', at('center.yaml')]),
    ...(options.includes('--ledger') ? [] : ['--ledger', at(`${name}.db`)]),
    ...(options.includes('--out') ? [] : ['--out', at(name)]),
    ...options,
  ];
  const imported: Bench['imported'] = (name, ended) => {
    const read = (file: string): string => readFileSync(join(at(name), file), 'utf8');
    return {
      ...ended,
      out: at(name),
      ledger: at(`${name}.db`),
      report: () => lines(read('report.csv')),
      rejects: (file = 'rejects.csv') => lines(read(file)),
      summary: () => JSON.parse(read('summary.json')) as Summary,
      log: () => read('run.log'),
    };
  };
  return {
    center,
    environment: ENVIRONMENT,
    at,
    write,
    args,
    imported,
    list: (rows, name = 'leads.csv') =>
      write(name, csv(typeof rows === 'number' ? leads(rows) : rows)),
    run: (...all) => cardline(all, where),
    import: async (name, files, options, signal) =>
      imported(name, await cardline(args(name, files, options), { ...where, signal })),
    start: (name, files, options) => {
      const running = startCardline(args(name, files, options), where);
      running.child.stdin.end();
      return running;
    },
    close: async () => {
      await center.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** How the benches of a file are made. */
export interface BenchUse extends BenchOptions {
  readonly limits?: string;
  /** One for all tests of the file, in place of one for each. */
  readonly once?: boolean;
  readonly prepare?: (bench: Bench) => unknown;
  /** Looks at what is left, before it is gone. */
  readonly after?: (bench: Bench) => void;
}

/** What the test that is at work has opened, or with `once` all tests of the file or `describe`; closed behind it. */
export function useOpened<Opened extends { close(): unknown }>(
  open: () => Promise<Opened>,
  once = false,
  timeout = 60_000,
): Opened {
  let opened: Opened;
  (once ? beforeAll : beforeEach)(async () => {
    opened = await open();
  }, timeout);
  (once ? afterAll : afterEach)(async () => {
    await opened.close();
  }, 60_000);
  return new Proxy({} as Opened, {
    get: (_, name) => Reflect.get(opened, name) as unknown,
    set: (_, name, value) => Reflect.set(opened, name, value),
  });
}

/** The bench of the test that is at work. */
export function useBench({ limits, once, prepare, after, ...options }: BenchUse = {}): Bench {
  return useOpened(async () => {
    const bench = await openBench(limits, options);
    await prepare?.(bench);
    const close = async (): Promise<void> => {
      try {
        after?.(bench);
      } finally {
        await bench.close();
      }
    };
    return { ...bench, close };
  }, once);
}

/** The contact center was asked as the interface says, and nobody was created twice. */
export function inOrder({ center }: Bench): void {
  expect(center.violations).toEqual([]);
  expect(twice(center.creations)).toEqual([]);
}

/** The contact centers of these tests carry out at once what they carry out at all; the request may be on its way yet. */
export const TRANSPORT = '{ serverDeadlineMs: 2000 }';

/** `limits` and `transport` as YAML. */
export const installation = (
  url: string,
  limits = '{}',
  transport = TRANSPORT,
): string => `name: test
baseUrl: ${url}
headers: { Authorization: "Bearer \${CARDLINE_TEST_TOKEN}" }
card:
  offerId: { type: Number, sync: true }
  offerDomain: { type: TextField, sync: true }
  fullName: { type: TextField, required: true }
  segment: { type: ComboBox, values: [cold, warm] }
  comment: { type: TextField }
clientRoles: [1, 2]
limits: ${limits}
transport: ${transport}
`;

const lines = (text: string): Line[] => parse(text, { columns: true, bom: true });

/** Number of lines by outcome. */
export function countOutcomes(report: readonly Line[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome = '' } of report) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Clients that were carried out to be created, or to be added to a campaign, more than once. */
export const twice = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].filter(([, count]) => count > 1).map(([identity]) => identity);

/** Resolves once `condition` holds; gives up after a while. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let left = 3000; left > 0; left--) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`It did not happen: ${what}.`);
}

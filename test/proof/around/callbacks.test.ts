/**
 * What is claimed of callbacks: the interface tells whether a call application has one, and not whose it is. So a row
 * whose request or answer was lost is never called `scheduled` because there is some callback: it is `unknown`, and the
 * report says what to look at. Every row that is called `scheduled` has its own callback in the contact center's books,
 * and none has two.
 *
 * One variant for all runs, about 12 s.
 */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  type Bench,
  type Imported,
  type Line,
  countOutcomes,
  installation,
  lead,
  openBench,
  until,
} from '../../runs/harness.js';
import { type SandboxProcess, startSandboxProcess } from '../../kit/sandbox.js';
import { type Gate, startGate } from '../../runs/modes/gate.js';
import { STEADY, said } from './harness.js';

const CLIENTS = 20;
/** Rows: two of the first client, and one of each other. */
const NAMES = [
  'first',
  'second',
  ...Array.from({ length: CLIENTS - 1 }, (_, at) => `of ${at + 2}`),
];
const DOMAIN = 'shop.example.com';
const CALL_AT = '2095-01-01T10:00:00+03:00';

const MAPPING = `mode: callbacks
client: { fields: { offerId: Offer, offerDomain: Site } }
callback:
  name: Name
  description: Notes
  phone: Phone
  operatorId: { value: 1 }
  callAt: At
  callAutomatically: { value: true }
`;

let bench: Bench;
let sandbox: SandboxProcess;
let gate: Gate;
beforeEach(async () => {
  bench = await openBench();
  const own = await bench.write('sandbox.yaml', installation('http://127.0.0.1:9'));
  sandbox = await startSandboxProcess(own, bench.at('sandbox.db'));
  gate = await startGate(sandbox.port);
  const transport = '{ timeoutMs: 20000, serverDeadlineMs: 500 }';
  await bench.write('center.yaml', installation(gate.url, '{}', transport));
  await bench.write('mapping.yaml', MAPPING);
  const clients = Array.from({ length: CLIENTS }, (_, index) => index + 1);
  await ask('/clients/exec.do', { clients: clients.map(clientOf) });
  await ask('/tacs/campaigns/1/exec.do', {
    maxCallCount: 3,
    clients: clients.map((number) => ({ clientIdentifiers: identifiersOf(number) })),
  });
});
afterEach(async () => {
  await gate.close();
  await sandbox.close();
  await bench.close();
});

const identifiersOf = (number: number) => ({ offerId: 100_000 + number, offerDomain: DOMAIN });
const phoneOf = (number: number): string => `7916${1_000_000 + number}`;

function clientOf(number: number) {
  return {
    uuid: `client-${number}`,
    ...{ clientRoleId: 1, type: 'SIMPLE', timeZone: 'Europe/Moscow' },
    fields: { ...identifiersOf(number), fullName: lead(number).First },
    phones: [{ phoneNumber: phoneOf(number), type: 'MOB' }],
    ...{ addresses: [], emails: [] },
  };
}

/** A request of somebody else's. */
async function ask(path: string, body: object): Promise<void> {
  const response = await fetch(`${sandbox.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, path).toBeLessThan(300);
}

const somebodysCallback = (number: number): Promise<void> =>
  ask('/callbacks/exec.do?type=tm', {
    ...{ name: 'of somebody else', description: 'Made by hand', operatorId: 1, campaignId: 1 },
    clientIdentifiers: identifiersOf(number),
    phone: phoneOf(number),
    callAt: CALL_AT,
    callAutomatically: true,
  });

/** Client of each row, by the row's name. */
const clientOfRow = (name: string): number => Math.max(1, NAMES.indexOf(name));

const sheet = (names: readonly string[]): string =>
  ['Offer,Site,Name,Notes,Phone,At', ...names.map(rowOf), ''].join('\n');

function rowOf(name: string): string {
  const number = clientOfRow(name);
  const { offerId } = identifiersOf(number);
  return [offerId, DOMAIN, name, `Call ${name}`, phoneOf(number), CALL_AT].join(',');
}

/** How many callbacks of each name there are, by the contact center's own books. */
function callbacks(): Map<string, number> {
  const database = new Database(bench.at('sandbox.db'), { readonly: true });
  try {
    const counts = new Map<string, number>();
    for (const { fields } of database
      .prepare<[], { fields: string }>('SELECT fields FROM callbacks')
      .all()) {
      const { name } = JSON.parse(fields) as { name: string };
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  } finally {
    database.close();
  }
}

/** Every claim is true: who is scheduled has a callback of his own, and nobody has two. */
function claimsAreTrue(names: readonly string[], report: readonly Line[]): void {
  const made = callbacks();
  expect([...made].filter(([, count]) => count > 1)).toEqual([]);
  const claimed = names.filter((_, at) => report[at]?.['outcome'] === 'scheduled');
  expect(claimed.filter((name) => !made.has(name))).toEqual([]);
  expect(report).toHaveLength(names.length);
}

/** The row is `unknown`, and its line says that callbacks have to be looked at. */
function isLeftOpen(line: Line | undefined): void {
  expect(line).toMatchObject({ outcome: 'unknown' });
  expect(`${line?.['changeResult']} ${line?.['problems']}`).toMatch(/callback/i);
}

const isCallback = (name: string, { line, body }: { line: string; body: string }): boolean =>
  line.startsWith('POST /api/v1/callbacks') && body.includes(`"name":"${name}"`);

const imports = (): Promise<Imported> =>
  bench.import('run', [bench.at('rows.csv')], ['--campaign', '1', ...STEADY]);

/**
 * Starts an import and kills it while the request of row `first` is held up, when all the `others` have been carried out
 * or the import has come to rest. What was held up never arrives.
 */
async function killedWhileFirstIsHeldUp(others: readonly string[]): Promise<void> {
  let [isHeldUp, carriedOut] = [false, 0];
  let lose = (): void => undefined;
  const lost = new Promise<'lose request'>((resolve) => {
    lose = () => resolve('lose request');
  });
  gate.behave = (passing) => {
    if (!isCallback('first', passing)) return undefined;
    isHeldUp = true;
    return lost;
  };
  gate.onCarriedOut = (passing) => {
    if (others.some((name) => isCallback(name, passing))) carriedOut++;
  };
  const { child, ended } = bench.start(
    'run',
    [bench.at('rows.csv')],
    ['--campaign', '1', ...STEADY],
  );
  await until(() => isHeldUp && carriedOut === others.length, 'the others are carried out');
  child.kill('SIGKILL');
  await ended;
  lose();
  gate.behave = () => undefined;
  gate.onCarriedOut = () => undefined;
}

it(
  'a request that never arrived is not claimed by the callback of another row',
  { timeout: 120_000 },
  async () => {
    const names = NAMES;
    await bench.write('rows.csv', sheet(names));
    // Whether the second row of the client waits for the first one is left open.
    await killedWhileFirstIsHeldUp(names.slice(2));
    if (!callbacks().has('second'))
      await ask('/callbacks/exec.do?type=tm', {
        ...{ name: 'second', description: 'Call second', operatorId: 1, campaignId: 1 },
        ...{ clientIdentifiers: identifiersOf(1), phone: phoneOf(1), callAt: CALL_AT },
        callAutomatically: true,
      });
    const run = await imports();
    expect(run.stderr).toContain('Continuing');
    expect(callbacks().has('first')).toBe(false);
    const report = run.report();
    isLeftOpen(report[0]);
    // The process may have died between an answer and the ledger: such a row is left open, and not claimed.
    const others = report.slice(2).map(({ outcome }) => outcome);
    expect(others.filter((outcome) => outcome !== 'scheduled' && outcome !== 'unknown')).toEqual(
      [],
    );
    expect(others).toContain('scheduled');
    const made = callbacks();
    const claimed = names.slice(2).filter((_, at) => others[at] === 'scheduled');
    expect(claimed.filter((name) => made.get(name) !== 1)).toEqual([]);
    expect(run.code, said(run)).toBe(2);
  },
);

it(
  'a request that never arrived is not claimed by the callback of somebody else',
  { timeout: 120_000 },
  async () => {
    const names = NAMES.filter((name) => name !== 'second');
    await bench.write('rows.csv', sheet(names));
    await killedWhileFirstIsHeldUp(names.slice(1));
    await somebodysCallback(1);
    const run = await imports();
    const report = run.report();
    isLeftOpen(report[0]);
    claimsAreTrue(names, report);
    expect(run.code, said(run)).toBe(2);
  },
);

it(
  'a lost answer leaves its row unknown, and a lost request is not made twice',
  { timeout: 120_000 },
  async () => {
    const names = NAMES.slice(2);
    await bench.write('rows.csv', sheet(names));
    const [noAnswer = '', noRequest = ''] = names;
    const met = new Set<string>();
    gate.behave = (passing) => {
      for (const [name, fate] of [
        [noAnswer, 'lose answer'],
        [noRequest, 'lose request'],
      ] as const) {
        if (!isCallback(name, passing) || met.has(name)) continue;
        met.add(name);
        return fate;
      }
      return undefined;
    };
    const run = await imports();
    expect([...met]).toEqual([noAnswer, noRequest]);
    const report = run.report();
    isLeftOpen(report[0]);
    claimsAreTrue(names, report);
    expect(callbacks().get(noAnswer)).toBe(1);
    const { scheduled = 0 } = countOutcomes(report);
    expect(scheduled).toBeGreaterThanOrEqual(names.length - 2);
    expect(run.code, said(run)).toBe(2);
  },
);

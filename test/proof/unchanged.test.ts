import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cardlineProcess } from '../kit/cardline.js';
import { type SandboxProcess, startSandboxProcess } from '../kit/sandbox.js';
import { type Gate, startGate } from '../runs/modes/gate.js';

/**
 * Rows that are as their clients are cost their lookups alone, and no card is written.
 * Short: 300 rows, about 5 s. Full (PROOF=full): 50,000 rows, about 40 s; prints requests by operation.
 */
const ROWS = process.env['PROOF'] === 'full' ? 50_000 : 300;
const TIMEOUT = 20 * 60_000;

const FIELDS = 'fields: { offerId: Offer, fullName: Name, comment: Comment }';
const WHOLE = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  ${FIELDS}
  phones: [{ column: Phone, type: MOB }]
`;
const MAPPINGS = {
  create: `mode: create\n${WHOLE}`,
  update: `mode: update\nclient: { ${FIELDS} }\n`,
  upsert: `mode: upsert\n${WHOLE}`,
} as const;
type Mode = keyof typeof MAPPINGS;

const LOOKUP = 'POST /api/v1/clients/by/syncIds.json';
const PHONE = 'POST /api/v1/clients/phones/exec.do';

let folder: string;
let sandbox: SandboxProcess;
let gate: Gate;
const at = (name: string): string => join(folder, name);
const installation = (url: string): string => `name: test
baseUrl: ${url}
card:
  offerId: { type: Number, sync: true }
  fullName: { type: TextField }
  comment: { type: TextField }
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-unchanged-'));
  await writeFile(at('sandbox.yaml'), installation('http://127.0.0.1:9'));
  sandbox = await startSandboxProcess(at('sandbox.yaml'), at('sandbox.db'));
  gate = await startGate(sandbox.port);
  await writeFile(at('center.yaml'), installation(gate.url));
  for (const [mode, mapping] of Object.entries(MAPPINGS))
    await writeFile(at(`${mode}.yaml`), mapping);
  const rows = Array.from(
    { length: ROWS },
    (_, id) => `${id + 1},Ann Lee ${id},7916${1_000_000 + id},note ${id % 7}\n`,
  );
  await writeFile(at('leads.csv'), `Offer,Name,Phone,Comment\n${rows.join('')}`);
  expect((await imported('create')).outcomes).toMatchObject({ created: ROWS });
}, TIMEOUT);
afterAll(async () => {
  await gate.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

async function imported(mode: Mode) {
  const requests: Record<string, number> = {};
  gate.onCarriedOut = ({ line }) => {
    const [name = ''] = line.split('?');
    if (!name.startsWith('GET')) requests[name] = (requests[name] ?? 0) + 1;
  };
  const began = performance.now();
  const { code, stderr } = await cardlineProcess(
    [
      ...['import', at('leads.csv'), '-m', at(`${mode}.yaml`), '-i', at('center.yaml')],
      ...['--ledger', at(`${mode}.db`), '--out', at(mode), '-q'],
    ],
    { cwd: folder },
  );
  expect(code, stderr).toBe(0);
  const seconds = (performance.now() - began) / 1000;
  const summary = JSON.parse(await readFile(join(at(mode), 'summary.json'), 'utf8')) as {
    readonly outcomes: Record<string, number>;
  };
  if (ROWS > 300) console.log(`${mode}: ${ROWS} rows, ${seconds.toFixed(1)} s,`, requests);
  return { requests, outcomes: summary.outcomes };
}

it.each([
  ['update', { [LOOKUP]: ROWS }],
  // The interface does not show a card's phones, so each is offered, and refused as there already.
  ['upsert', { [LOOKUP]: ROWS, [PHONE]: ROWS }],
] as const)(
  'unchanged rows in mode %s cost their lookups, and write no card',
  async (mode, expected) => {
    const { outcomes, requests } = await imported(mode);
    expect(outcomes).toMatchObject({ unchanged: ROWS });
    expect(requests).toEqual(expected);
  },
  TIMEOUT,
);

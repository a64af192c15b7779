import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { noOutcomes } from '../../src/core/outcome.js';
import { openLedger } from '../../src/ledger/ledger.js';
import {
  PASSWORD,
  POSTGRES,
  type SharedPostgres,
  startPostgres,
  WITHOUT,
} from '../kit/postgres.js';
import { wordsIn } from '../kit/words.js';
import { useFolder } from './folder.js';
import { type Person, runAt } from './terminal.js';

const { at } = useFolder();
/** Runs a line. A word that ends in `.db` is a file of the folder. */
const run = (line: string, person: Person = {}) =>
  runAt(
    wordsIn(line).map((word) => (word.endsWith('.db') ? at(word) : word)),
    person,
  );

async function fill(file: string): Promise<string> {
  const ledger = await openLedger(file, { thread: false });
  const run = await ledger.openRun({
    identity: {
      ...{ inputs: ['/leads.csv'], content: 'cc', mapping: 'aa', campaignId: null },
      installation: 'demo http://localhost offerId',
    },
    settings: { mode: 'create' },
    out: () => '/runs',
  });
  if (run.kind !== 'open') throw new Error(`the run is ${run.kind}`);
  await run.ledger.record(0, [
    { kind: 'read', data: '{"input":0,"sheet":null,"first":0,"rows":[[2,"a",[1],0]]}' },
  ]);
  await run.ledger.end({ state: 'finished', rows: 0, outcomes: noOutcomes() });
  await run.close();
  await ledger.close();
  return run.ledger.run;
}

describe('a ledger in a file', () => {
  it('is made, and copied with all its runs', async () => {
    const made = await run('ledger init --ledger made.db');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/made\.db is ready, in version \d+\./);
    const id = await fill(at('from.db'));
    const copied = await run('ledger copy from.db made.db');
    expect(copied).toMatchObject({ code: 0, stderr: `${id}: 1 facts\n` });
    const again = await run('ledger copy from.db made.db --json');
    expect(JSON.parse(again.stdout)).toMatchObject({ to: at('made.db'), copied: [], there: [id] });
  });

  it('that is not there is not copied, and nothing is made of it', async () => {
    const { code, stderr } = await run('ledger copy none.db to.db');
    expect([code, existsSync(at('none.db')), existsSync(at('to.db'))]).toEqual([64, false, false]);
    expect(stderr).toMatch(/no ledger here/);
  });

  it('may be named by the environment, behind what the command says', async () => {
    const id = await fill(at('named.db'));
    const env = { CARDLINE_LEDGER: at('named.db') };
    const listed = await run('runs --json', { env });
    expect(JSON.parse(listed.stdout)).toMatchObject([{ run: id }]);
    const other = await run('runs --ledger other.db', { env });
    expect(other.code).toBe(64);
    expect(other.stderr).toMatch(/other\.db/);
  });
});

describe.skipIf(POSTGRES === undefined)(`a ledger in PostgreSQL${WITHOUT}`, () => {
  let server: SharedPostgres;
  let address: string;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.remove(), 60_000);
  beforeEach(async () => {
    address = await server.database();
  });
  const changed = (change: (url: URL) => void): string => {
    const url = new URL(address);
    change(url);
    return url.href;
  };
  const database = (): string => new URL(address).pathname.slice(1);

  it('takes the runs of a file, and gives them back', async () => {
    const id = await fill(at('for-postgres.db'));
    const there = await run(`ledger copy for-postgres.db ${address}`);
    expect(there.code, there.stderr).toBe(0);
    const back = await run(`ledger copy ${address} back.db`);
    expect(back.stdout).toMatch(/^1 run copied to .*back\.db/);
    const compared = await run('ledger copy for-postgres.db back.db');
    expect(compared.stdout).toMatch(/1 was there already, and is the same/);
    const show = await run(`runs show ${id} --json`, { env: { CARDLINE_LEDGER: address } });
    expect(JSON.parse(show.stdout)).toMatchObject({ run: id, state: 'finished' });
    const pruned = await run(`runs prune --older-than 0s --ledger ${address}`);
    expect(pruned.stdout).toBe('1 runs are forgotten.\n');
  });

  it('gives the SQL for an administrator where the role may not make tables', async () => {
    const role = `role_${database()}`;
    await server.execute(database(), `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
    const plain = changed((url) => (url.username = role));
    const asked = await run(`ledger init --ledger ${plain}`);
    expect(asked.code).toBe(3);
    expect(asked.stderr).toMatch(/Let an administrator execute the printed SQL/);
    const printed = await run(`ledger init --ledger ${plain} --sql`);
    expect(printed).toMatchObject({ code: 0, stdout: asked.stdout });
    await server.execute(database(), asked.stdout);
    expect(await run(`ledger init --ledger ${plain}`)).toMatchObject({ code: 0, stderr: '' });
    await fill(plain);
  });

  /** Of each kind; the others in `ledger/postgres`. */
  it.each<[string, () => string, number, RegExp]>([
    ['of another port', () => changed((url) => (url.port = '1')), 3, /no server answers/],
    ['of another host', () => changed((url) => (url.hostname = 'no.invalid')), 64, /no host/],
    [
      'with a password in it',
      () => changed((url) => (url.password = PASSWORD)),
      ...([64, /holds a password/] as const),
    ],
  ])('%s is refused by every command, without a password', async (_, make, code, words) => {
    const wrong = make();
    const commands = ['runs', 'report 20261120-174500-1f3a', 'resume', 'undo', 'ledger init'];
    // A page begins without its ledger, but not with a password among its arguments.
    if (wrong.includes(PASSWORD)) commands.push('ui --no-open');
    for (const command of commands) {
      const refused = await run(`${command} --ledger ${wrong}`);
      expect([command, refused.code], refused.stderr).toEqual([command, code]);
      expect(refused.stderr).toMatch(words);
      expect(refused.stdout + refused.stderr).not.toContain(PASSWORD);
    }
    expect((await run(`ledger copy from.db ${wrong}`)).code).not.toBe(0);
  });

  it('takes the password from a file that nobody else may read', async () => {
    const url = new URL(address);
    const line = (password: string): string =>
      `# mine\n*:*:other:owner:no\n${url.hostname}:${url.port}:*:owner:${password}\n`;
    const file = at('pass\u0020words');
    writeFileSync(file, line(PASSWORD.replaceAll('-', '\\-')), { mode: 0o600 });
    vi.stubEnv('PGPASSWORD', undefined);
    vi.stubEnv('PGPASSFILE', file);
    const init = () => run(`ledger init --ledger ${address}`);
    expect(await init()).toMatchObject({ code: 0, stderr: '' });
    chmodSync(file, 0o640);
    const wide = await init();
    writeFileSync(file, '*:*:*:another:no\n');
    chmodSync(file, 0o600);
    const none = await init();
    vi.stubEnv('PGPASSFILE', at('nowhere'));
    const gone = await init();
    vi.stubEnv('PGPASSWORD', 'wrong-and-secret');
    const wrong = await init();
    vi.unstubAllEnvs();
    for (const [{ code, stderr }, told] of [
      [wide, /chmod 600/],
      [none, /there is none/],
      [gone, /cannot be read/],
      [wrong, /user or password/],
    ] as const) {
      expect([code, stderr]).toEqual([64, expect.stringMatching(told)]);
      expect(stderr).not.toContain(PASSWORD);
      expect(stderr).not.toContain('wrong-and-secret');
    }
  });

  it('leaves no connection open that holds the process, when it is refused', async () => {
    vi.stubEnv('PGPASSWORD', undefined);
    vi.stubEnv('PGPASSFILE', at('nowhere'));
    await run(`runs --ledger ${address}`);
    vi.unstubAllEnvs();
    // The server would keep it for a minute.
    const isOpen = (name: string): boolean => name === 'TCPSocketWrap';
    await vi.waitFor(
      () => expect(process.getActiveResourcesInfo().filter(isOpen)).toEqual([]),
      5_000,
    );
  });
});

import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { noOutcomes } from '../../src/core/outcome.js';
import { openLedger } from '../../src/ledger/ledger.js';
import {
  PASSWORD,
  POSTGRES,
  type SharedPostgres,
  startPostgres,
  WITHOUT,
} from '../kit/postgres.js';
import { runAt } from './terminal.js';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardline-ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
    const made = await runAt(['ledger', 'init', '--ledger', at('made.db')]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/made\.db is ready, in version \d+\./);
    const run = await fill(at('from.db'));
    const copied = await runAt(['ledger', 'copy', at('from.db'), at('made.db')]);
    expect(copied).toMatchObject({ code: 0, stderr: `${run}: 1 facts\n` });
    const again = await runAt(['ledger', 'copy', at('from.db'), at('made.db'), '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ to: at('made.db'), copied: [], there: [run] });
  });

  it('that is not there is not copied, and nothing is made of it', async () => {
    const { code, stderr } = await runAt(['ledger', 'copy', at('none.db'), at('to.db')]);
    expect([code, existsSync(at('none.db')), existsSync(at('to.db'))]).toEqual([64, false, false]);
    expect(stderr).toMatch(/no ledger here/);
  });

  it('may be named by the environment, behind what the command says', async () => {
    const run = await fill(at('named.db'));
    const env = { CARDLINE_LEDGER: at('named.db') };
    const listed = await runAt(['runs', '--json'], { env });
    expect(JSON.parse(listed.stdout)).toMatchObject([{ run }]);
    const other = await runAt(['runs', '--ledger', at('other.db')], { env });
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
    const run = await fill(at('from.db'));
    const there = await runAt(['ledger', 'copy', at('from.db'), address]);
    expect(there.code, there.stderr).toBe(0);
    const back = await runAt(['ledger', 'copy', address, at('back.db')]);
    expect(back.stdout).toMatch(/^1 run copied to .*back\.db/);
    const compared = await runAt(['ledger', 'copy', at('from.db'), at('back.db')]);
    expect(compared.stdout).toMatch(/1 was there already, and is the same/);
    const show = await runAt(['runs', 'show', run, '--json'], {
      env: { CARDLINE_LEDGER: address },
    });
    expect(JSON.parse(show.stdout)).toMatchObject({ run, state: 'finished' });
    const pruned = await runAt(['runs', 'prune', '--older-than', '0s', '--ledger', address]);
    expect(pruned.stdout).toBe('1 runs are forgotten.\n');
  });

  it('gives the SQL for an administrator where the role may not make tables', async () => {
    const role = `role_${database()}`;
    await server.execute(database(), `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
    const plain = changed((url) => (url.username = role));
    const asked = await runAt(['ledger', 'init', '--ledger', plain]);
    expect(asked.code).toBe(3);
    expect(asked.stderr).toMatch(/Let an administrator execute the printed SQL/);
    const printed = await runAt(['ledger', 'init', '--ledger', plain, '--sql']);
    expect(printed).toMatchObject({ code: 0, stdout: asked.stdout });
    await server.execute(database(), asked.stdout);
    const ready = await runAt(['ledger', 'init', '--ledger', plain]);
    expect(ready).toMatchObject({ code: 0, stderr: '' });
    await fill(plain);
  });

  const WRONG: Record<string, readonly [() => Promise<string> | string, number, RegExp]> = {
    'of another host': [() => changed((url) => (url.hostname = 'no.invalid')), 64, /no host/],
    'of another port': [() => changed((url) => (url.port = '1')), 3, /no server answers/],
    'of another user': [() => changed((url) => (url.username = 'nobody')), 64, /user or password/],
    'of another database': [() => changed((url) => (url.pathname = '/no')), 64, /no such database/],
    'that does not speak TLS': [
      () => changed((url) => url.searchParams.set('sslmode', 'verify-full')),
      64,
      /does not offer TLS/,
    ],
    'with a password in it': [
      () => changed((url) => (url.password = PASSWORD)),
      64,
      /holds a password/,
    ],
    'of something else': [
      async () => {
        await server.execute(database(), 'CREATE SCHEMA cardline; CREATE TABLE cardline.x (a int)');
        return address;
      },
      64,
      /belongs to something else/,
    ],
    'of a later version': [
      async () => {
        await fill(address);
        await server.execute(database(), "UPDATE cardline.ledger SET value = '99'");
        return address;
      },
      64,
      /later version/,
    ],
  };
  const COMMANDS = [
    ['runs'],
    ['report', '20261120-174500-1f3a'],
    ['resume'],
    ['undo'],
    ['ledger', 'init'],
  ];

  it.each(Object.keys(WRONG))(
    '%s is refused by every command, without a password',
    async (name) => {
      const [make, code, words] = WRONG[name] ?? [() => '', 0, /^$/];
      const wrong = await make();
      for (const command of COMMANDS) {
        const refused = await runAt([...command, '--ledger', wrong]);
        expect([command, refused.code], refused.stderr).toEqual([command, code]);
        expect(refused.stderr).toMatch(words);
        expect(refused.stdout + refused.stderr).not.toContain(PASSWORD);
      }
      const copy = await runAt(['ledger', 'copy', at('from.db'), wrong]);
      expect(copy.code).not.toBe(0);
    },
  );

  it('takes the password from a file that nobody else may read', async () => {
    const url = new URL(address);
    const line = (password: string): string =>
      `# mine\n*:*:other:owner:no\n${url.hostname}:${url.port}:*:owner:${password}\n`;
    const file = at('pass\u0020words');
    writeFileSync(file, line(PASSWORD.replaceAll('-', '\\-')), { mode: 0o600 });
    vi.stubEnv('PGPASSWORD', undefined);
    vi.stubEnv('PGPASSFILE', file);
    const command = ['ledger', 'init', '--ledger', address];
    expect(await runAt(command)).toMatchObject({ code: 0, stderr: '' });
    chmodSync(file, 0o640);
    const wide = await runAt(command);
    expect([wide.code, wide.stderr]).toEqual([64, expect.stringMatching(/chmod 600/)]);
    writeFileSync(file, '*:*:*:another:no\n');
    chmodSync(file, 0o600);
    const none = await runAt(command);
    expect([none.code, none.stderr]).toEqual([64, expect.stringMatching(/there is none/)]);
    vi.stubEnv('PGPASSFILE', at('nowhere'));
    const gone = await runAt(command);
    expect([gone.code, gone.stderr]).toEqual([64, expect.stringMatching(/cannot be read/)]);
    vi.unstubAllEnvs();
    for (const { stderr } of [wide, none, gone]) expect(stderr).not.toContain(PASSWORD);
  });

  it('leaves no connection open that holds the process, when it is refused', async () => {
    vi.stubEnv('PGPASSWORD', undefined);
    vi.stubEnv('PGPASSFILE', at('nowhere'));
    await runAt(['runs', '--ledger', address]);
    vi.unstubAllEnvs();
    // The server would keep it for a minute.
    const isOpen = (name: string): boolean => name === 'TCPSocketWrap';
    await vi.waitFor(
      () => expect(process.getActiveResourcesInfo().filter(isOpen)).toEqual([]),
      5_000,
    );
  });

  it('is no ledger of a page when a password is in it', async () => {
    const refused = await runAt([
      'ui',
      '--no-open',
      '--ledger',
      changed((url) => (url.password = PASSWORD)),
    ]);
    expect(refused.code).toBe(64);
    expect(refused.stdout + refused.stderr).not.toContain(PASSWORD);
  });

  it('is refused with a wrong password, which is not shown', async () => {
    vi.stubEnv('PGPASSWORD', 'wrong-and-secret');
    const refused = await runAt(['runs', '--ledger', address]);
    vi.unstubAllEnvs();
    expect(refused.code).toBe(64);
    expect(refused.stderr).toMatch(/user or password/);
    expect(refused.stderr).not.toContain('wrong-and-secret');
  });
});

import Database from 'better-sqlite3';
import { once } from 'node:events';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { UsageError } from '../../../src/core/errors.js';
import { startSandbox } from '../../../src/sandbox/sandbox.js';
import { printed, startCardline } from '../../kit/cardline.js';
import { client, INSTALLATION, noClient, PATHS, refusal, startWorld, World } from './world.js';
import { folderOfTest } from '../../kit/folder.js';

/** The command `sandbox`, built, in a process of its own. */
async function startProcess(folder: string, more: readonly string[] = []) {
  const file = join(folder, 'installation.yaml');
  await writeFile(file, stringify(INSTALLATION));
  const options = ['-i', file, '--port', '0', '--db', join(folder, 'sandbox.db'), ...more];
  const running = startCardline(['sandbox', ...options]);
  const [url] = await printed(running, /http:\/\/[\d.]+:\d+/);
  const end = async (signal: NodeJS.Signals) => {
    running.child.kill(signal);
    return running.ended;
  };
  const close = async () => {
    await end('SIGTERM');
  };
  const world = new World({ url, close });
  return { world, end };
}

/** Everything that a sandbox holds of client 1, as its operations tell it. */
const facts = async (world: World) => ({
  card: await world.card(1),
  applications: await world.applications(1),
  campaigns: await world.campaigns(),
  task: await world.center.campaignTask({ params: { campaignId: 1 } }),
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
  // Both of those that ask are listened to in the same way.
  const tags = signal === 'SIGINT' ? 'depth' : [];
  it(
    `the command has everything again that it has answered, after ${signal}`,
    { tags },
    async () => {
      const folder = folderOfTest();
      const before = await startProcess(folder);
      await before.world.have(1, { fields: { note: 'kept' } });
      await before.world.have(2);
      await before.world.delete(2);
      const campaign = await before.world.haveCampaign({ weekDays: 'Mon,Fri' });
      await before.world.enqueue(campaign, [1]);
      await before.world.callBack(campaign, 1, { callAt: '2099-01-01T10:00:00+03:00' });
      const told = await facts(before.world);
      expect(told.applications).toMatchObject([{ hasRecall: true }]);
      await before.world.center.close();
      const { code, stderr } = await before.end(signal);
      expect(stderr).toBe('');
      if (signal !== 'SIGKILL') {
        expect(code).toBe(0);
        expect(await readdir(folder)).toEqual(['installation.yaml', 'sandbox.db']);
      }
      expect(await again(folder)).toEqual(told);
    },
  );
}

async function again(folder: string) {
  const world = await startWorld({ database: join(folder, 'sandbox.db') });
  const found = await facts(world);
  expect(await refusal(world.card(2))).toBe(noClient(2));
  const [active, deleted, fresh] = await world.add([client(1), client(2), client(3)]);
  expect(active?.result).toMatch(/already exists$/);
  expect(deleted?.result).toMatch(/is deleted; recovery restores it$/);
  expect(fresh).toMatchObject({ result: 'Success', createdClientId: 3 });
  const [restored] = await world.add([client(2)], { recovery: true });
  expect(restored).toMatchObject({ result: 'Success', createdClientId: 2 });
  return found;
}

describe('the command', () => {
  it('keeps all that was answered for when it is killed at work', async () => {
    const folder = folderOfTest();
    const confirmed: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      const { world, end } = await startProcess(folder);
      const send = async (from: number): Promise<void> => {
        const clients = Array.from({ length: 50 }, (_, at) => client(from + at));
        const results = await world.add(clients);
        expect(results.every(({ result }) => result === 'Success')).toBe(true);
        confirmed.push(...clients.map((_, at) => from + at));
      };
      const base = 1 + round * 10_000;
      await send(base);
      const rest = Promise.allSettled(
        Array.from({ length: 20 }, (_, at) => send(base + 50 * (at + 1))),
      );
      await send(base + 5_000);
      await end('SIGKILL');
      await rest;
      await world.center.close();
    }
    expect(confirmed.length).toBeGreaterThanOrEqual(200);
    const world = await startWorld({ database: join(folder, 'sandbox.db') });
    const results = await world.add(
      confirmed.map((offerId, at) => client(offerId, { uuid: `${at}` })),
    );
    expect(results.filter(({ result }) => result === 'Success')).toEqual([]);
  });

  it('finishes the requests that it has begun, and answers to names that it is given', async () => {
    const folder = folderOfTest();
    const hosts = ['--allow-host', 'center:1', '--allow-host', 'other'];
    const { world, end } = await startProcess(folder, hosts);
    const statusFor = async (host: string) => {
      const asked = request(world.url + PATHS.list, { headers: { host } }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await Promise.all(['center:1', 'other', 'rebound.example'].map(statusFor))).toEqual([
      200, 200, 421,
    ]);
    const clients = Array.from({ length: 300 }, (_, at) => client(at + 1));
    const settled = world.call('POST', PATHS.clients, { clients }).then(
      ({ status }) => status,
      () => 'refused' as const,
    );
    expect((await end('SIGTERM')).code).toBe(0);
    expect([201, 503, 'refused']).toContain(await settled);
    await world.center.close();
  });
});

describe('a database file', () => {
  it('is for its owner alone, with its folder and the files beside it', async () => {
    const folder = join(folderOfTest(), 'new');
    const modes = async (): Promise<string[]> => {
      const files = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
      const found = await Promise.all(files.map(async (file) => (await stat(file)).mode & 0o777));
      return found.map((mode) => mode.toString(8));
    };
    const database = join(folder, 'sandbox.db');
    const made = await startWorld({ database });
    await made.have(1);
    expect(await modes()).toEqual(['700', '600', '600', '600']);
    await made.close();
    await chmod(database, 0o644);
    const second = await startWorld({ database });
    await second.have(2);
    expect(await modes()).toEqual(['700', '600', '600', '600']);
  });

  it('of other identifiers, of another program, or where no file can be is refused in plain words', async () => {
    const folder = folderOfTest();
    const file = (name: string) => join(folder, name);
    const start = (database: string, card = INSTALLATION.card) =>
      startSandbox({ installation: { ...INSTALLATION, card }, port: 0, database });
    await (await start(file('a.db'))).close();
    const other = { code: { type: 'TextField', sync: true, required: false } } as const;
    await expect(start(file('a.db'), other)).rejects.toThrow(
      /identifiers offerId, offerDomain, .* code;/,
    );
    await writeFile(file('b.db'), 'not a database, but long enough to be looked at'.repeat(20));
    await expect(start(file('b.db'))).rejects.toThrow(
      /b\.db is not a database of a sandbox, and was left/,
    );
    const foreign = new Database(file('c.db'));
    foreign.exec('CREATE TABLE mine (x)');
    foreign.close();
    await expect(start(file('c.db'))).rejects.toThrow(/not a database of this version/);
    await expect(start(file('e.db'), {})).rejects.toThrow(/marks no card field as `sync`/);
    await expect(start(join(file('b.db'), 'd.db'))).rejects.toBeInstanceOf(UsageError);
  });
});

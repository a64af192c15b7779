import Database from 'better-sqlite3';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../../src/core/errors.js';
import { startSandbox } from '../../../src/sandbox/sandbox.js';
import { runSandbox } from './child.js';
import { callback, client, CLIENTS, INSTALLATION, startWorld } from './harness.js';

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('a database file', () => {
  it('keeps everything over a restart', async () => {
    const folder = await temporaryFolder();
    const database = join(folder, 'sandbox.db');
    const before = await startWorld({ database });
    await before.haveClients(1, 2, 3);
    await before.call('DELETE', CLIENTS, { syncIdentifiers: { offerId: 3 } });
    await before.haveCampaign();
    await before.enqueue(1, 1, 2);
    await before.call('POST', '/api/v1/callbacks/exec.do?type=tm', callback());
    const card = await before.card(1);
    await before.close();
    expect(await readdir(folder)).toEqual(['sandbox.db']);

    const after = await startWorld({ database });
    expect(await after.card(1)).toEqual(card);
    expect(await after.applications(1)).toMatchObject([{ id: 1, hasRecall: true }]);
    expect(await after.applications(2)).toMatchObject([{ id: 2, hasRecall: false }]);
    const { json } = await after.addClients(client(1), client(3), client(4));
    expect(json.createResult).toMatchObject([
      { result: 'Client with identifiers: [offerId=1] already exists' },
      { result: 'Client with identifiers: [offerId=3] is deleted; recovery restores it' },
      { result: 'Success', createdClientId: 4 },
    ]);
  });

  it('keeps all that was answered for when the process is killed', async () => {
    const folder = await temporaryFolder();
    const database = join(folder, 'sandbox.db');
    const confirmed: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const child = await runSandbox(database);
      const send = async (from: number): Promise<void> => {
        const clients = Array.from({ length: 50 }, (_, i) => client(from + i));
        const response = await fetch(child.url + CLIENTS, {
          method: 'POST',
          body: JSON.stringify({ clients }),
        });
        const body = (await response.json()) as { createResult: { result: string }[] };
        expect(body.createResult.every(({ result }) => result === 'Success')).toBe(true);
        confirmed.push(...clients.map(({ fields }) => fields.offerId));
      };
      const base = round * 10_000;
      await send(base);
      const rest = Promise.allSettled(
        Array.from({ length: 40 }, (_, i) => send(base + 50 * (i + 1))),
      );
      await send(base + 5_000);
      await child.kill();
      await rest;
    }
    expect(confirmed.length).toBeGreaterThanOrEqual(300);
    const world = await startWorld({ database });
    const { json } = await world.addClients(
      ...confirmed.map((offerId, i) => client(offerId, { uuid: `${i}` })),
    );
    const lost = json.createResult.filter(({ result }) => result === 'Success');
    expect(lost).toEqual([]);
  });

  it('is for its owner alone, with its folder and the files beside it', async () => {
    const folder = join(await temporaryFolder(), 'new');
    const modes = async (): Promise<string[]> => {
      const files = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
      const found = await Promise.all(files.map(async (file) => (await stat(file)).mode & 0o777));
      return found.map((mode) => mode.toString(8));
    };
    const database = join(folder, 'sandbox.db');
    const made = await startWorld({ database });
    await made.haveClients(1);
    expect(await modes()).toEqual(['700', '600', '600', '600']);
    await made.close();
    await chmod(database, 0o644);
    const again = await startWorld({ database });
    await again.haveClients(2);
    expect(await modes()).toEqual(['700', '600', '600', '600']);
    await again.close();
  });

  it('of other identifiers, of another program, or where no file can be is refused in plain words', async () => {
    const folder = await temporaryFolder();
    const file = (name: string) => join(folder, name);
    const start = (database: string, card = INSTALLATION.card) =>
      startSandbox({ installation: { ...INSTALLATION, card }, port: 0, database });
    await (await start(file('a.db'))).close();
    const other = { code: { type: 'TextField', sync: true, required: false } } as const;
    await expect(start(file('a.db'), other)).rejects.toThrow(/identifiers offerId, .* code;/);
    await writeFile(file('b.db'), 'not a database, but long enough to be looked at'.repeat(20));
    await expect(start(file('b.db'))).rejects.toThrow(
      /b\.db cannot be used: file is not a database/,
    );
    const foreign = new Database(file('c.db'));
    foreign.exec('CREATE TABLE mine (x)');
    foreign.close();
    await expect(start(file('c.db'))).rejects.toThrow(/not a database of this version/);
    await expect(start(file('e.db'), {})).rejects.toThrow(/marks no card field as `sync`/);
    await expect(start(join(file('b.db'), 'd.db'))).rejects.toBeInstanceOf(UsageError);
  });
});

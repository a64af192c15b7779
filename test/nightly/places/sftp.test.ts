import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectError, verdictOnKey } from '../../../src/nightly/places/sftp.js';
import {
  openSshServer,
  PASSPHRASE,
  type SshServer,
  WITHOUT_PASSWORDS,
  WITHOUT_SSHD,
} from '../../kit/sshd.js';
import { openRig, type Rig } from '../rig.js';

it.each(['Unexpected end event', 'Unexpected close event', 'No SFTP connection available'])(
  'a connection that breaks with "%s" was lost',
  (message) => {
    const error = Object.assign(new Error(`list: ${message}`), { code: 'ERR_GENERIC_CLIENT' });
    expect(connectError('sftp://files.example', error).message).toBe(
      'sftp://files.example: the connection was lost.',
    );
  },
);

const NEVER = new AbortController().signal;

describe.skipIf(WITHOUT_SSHD !== '')(`a folder on an SFTP server${WITHOUT_SSHD}`, () => {
  let server: SshServer;
  let folder: string;
  let rig: Rig;
  beforeAll(async () => {
    server = await openSshServer();
  }, 30_000);
  afterAll(() => server.remove());
  beforeEach(async () => {
    folder = await mkdtemp(join(server.folder, 'in-'));
  });
  afterEach(() => rig.remove());

  const open = async (
    more: Record<string, unknown> = {},
    sftp: Record<string, unknown> = {},
    env: Record<string, string> = {},
  ): Promise<Rig> =>
    (rig = await openRig(
      {
        from: `sftp://${server.user}@127.0.0.1:${server.port}${folder}`,
        sftp: { key: server.keys.good, knownHosts: server.knownHosts, ...sftp },
        ...more,
      },
      env,
    ));
  const arrive = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  const names = async (below = '.'): Promise<string[]> =>
    (await readdir(join(folder, below))).filter((name) => !name.startsWith('.')).sort();
  const watch = async (): Promise<number> => (await rig.watcher()).once(NEVER);
  const texts = (): string[] => [...rig.imported.values()].map(({ text }) => text);
  const refused = (words: RegExp): Promise<void> => expect(watch()).rejects.toThrow(words);

  it('is watched as one of this machine, and nothing is left here', async () => {
    await open({ after: { keep: '1h' } });
    await arrive('leads-2.csv', 'two');
    await arrive('leads-лиды 1.csv', 'one');
    await arrive('notes.txt', 'not for us');
    await mkdir(join(folder, 'leads-dir'));
    await mkdir(join(folder, 'done'));
    await arrive('done/leads-2.csv', 'a person put it here');
    // The folder is told of, and is left where it is.
    expect(await watch()).toBe(2);
    expect(texts().sort()).toEqual(['one', 'two']);
    expect(await names()).toEqual(['done', 'leads-dir', 'notes.txt']);
    expect(await names('done')).toEqual([
      ...['leads-2-2.csv', 'leads-2-2.csv.summary.json', 'leads-2.csv'],
      ...['leads-лиды 1.csv', 'leads-лиды 1.csv.summary.json'],
    ]);
    expect(await readdir(join(rig.folder, 'work/'))).toEqual([]);
    rig.time.now = Date.now() + 2 * 3_600_000;
    await watch();
    expect(await names('done')).toEqual(['leads-2.csv']);
  });

  it('holds files against their manifests', async () => {
    await open({ ready: { manifest: '{name}.sha256' } });
    await arrive('leads-1.csv', 'cut');
    await arrive('leads-1.csv.sha256', 'a'.repeat(64));
    expect(await watch()).toBe(2);
    expect(await names()).toEqual(['failed']);
    expect(await names('failed')).toEqual(['leads-1.csv', 'leads-1.csv.error.txt']);
  });

  it('goes on with a file of which a part was fetched, unless it has changed', async () => {
    await open();
    const text = 'x'.repeat(3 * 2 ** 20);
    for (const [file, change] of [
      ['leads-1.csv', false],
      ['leads-2.csv', true],
    ] as const) {
      await arrive(file, text + file);
      const local = await fetchHalf();
      const half = await stat(local);
      expect(half.size).toBeLessThan(text.length);
      // What was fetched is not fetched again: a letter that differs here stays.
      await writeFile(local, `y${(await readFile(local, 'utf8')).slice(1)}`);
      if (change) await appendFile(join(folder, '.cardline/vendor', file), ' and more');
      expect(await watch()).toBe(0);
    }
    expect(texts()).toEqual([`y${text.slice(1)}leads-1.csv`, `${text}leads-2.csv and more`]);
  });

  /** Ends a watcher when a part of a file is here; says where it is. */
  async function fetchHalf(): Promise<string> {
    const end = new AbortController();
    let part: string | undefined;
    const over = (async () => (await rig.watcher()).once(end.signal))();
    while (part === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      part = partHere();
    }
    end.abort();
    await over.catch(() => undefined);
    return part;
  }
  function partHere(): string | undefined {
    const work = join(rig.folder, 'work');
    const names = existsSync(work) ? readdirSync(work) : [];
    return names
      .map((name) => join(work, name, 'list'))
      .find((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 2 ** 16);
  }

  it('in which nothing may be moved is remembered, over restarts', async () => {
    const readOnly = await openSshServer({ isReadOnly: true });
    folder = await mkdtemp(join(readOnly.folder, 'in-'));
    const from = `sftp://${readOnly.user}@127.0.0.1:${readOnly.port}${folder}`;
    const access = { key: readOnly.keys.good, knownHosts: readOnly.knownHosts };
    await open({ from }, access);
    await arrive('leads-1.csv', 'one');
    for (let time = 0; time < 3; time++) expect(await watch()).toBe(0);
    expect([...rig.imported.values()]).toMatchObject([{ text: 'one', times: 1 }]);
    await arrive('leads-1.csv', 'another');
    for (let time = 0; time < 2; time++) expect(await watch()).toBe(0);
    expect(texts()).toEqual(['one', 'another']);
    expect(await readdir(folder)).toEqual(['leads-1.csv']);
    expect(await rig.check()).toMatch(/read only/);
    await readOnly.remove();
  });

  it('is entered to no server whose key is unknown, another one or revoked', async () => {
    const other = join(server.folder, '../other_hosts');
    const known = await readFile(server.knownHosts, 'utf8');
    const [host = '', ...key] = known.trim().split(' ');
    await open({}, { knownHosts: other });
    await refused(/host key SHA256:\S+ is not in .*other_hosts.*ssh-keyscan/s);
    await writeFile(other, `${host} ${await readFile(`${server.keys.bad}.pub`, 'utf8')}`);
    await refused(/is another one in .*pretend/);
    await writeFile(other, `@revoked ${known}`);
    await refused(/is revoked/);
    // Hashed, as Debian writes it; and by a pattern.
    await writeFile(other, known);
    execFileSync('ssh-keygen', ['-q', '-H', '-f', other], { stdio: 'ignore' });
    expect(await readFile(other, 'utf8')).toMatch(/^\|1\|/);
    expect(await watch()).toBe(0);
    await writeFile(other, `[127.0.0.*]:*,!example ${key.join(' ')}\n`);
    expect(await watch()).toBe(0);
    await rm(other);
  });

  it('is entered with a key, a passphrase or the agent, and says what is refused', async () => {
    await open({}, { key: server.keys.locked, passphrase: '${WORDS}' }, { WORDS: PASSPHRASE });
    expect(await watch()).toBe(0);
    await rig.remove();
    await open({}, { key: server.keys.locked, passphrase: '${WORDS}' }, { WORDS: 'wrong-secret' });
    await refused(/the key cannot be read/);
    await rig.remove();
    await open({}, { key: server.keys.bad });
    await refused(/it refuses the user, the key or the password/);
    await rig.remove();
    await open({}, { key: join(folder, 'nothing') });
    await refused(/the key .* cannot be read/);
    expect(rig.notes.join()).not.toContain('secret');
    const agent = execFileSync('ssh-agent', ['-s'], { encoding: 'utf8' });
    const [, socket = ''] = /SSH_AUTH_SOCK=([^;]+)/.exec(agent) ?? [];
    const [, pid = ''] = /SSH_AGENT_PID=(\d+)/.exec(agent) ?? [];
    execFileSync('ssh-add', ['-q', server.keys.good], { env: { SSH_AUTH_SOCK: socket } });
    await rig.remove();
    await open({}, { key: undefined }, { SSH_AUTH_SOCK: socket, HOME: folder });
    expect(await watch()).toBe(0);
    process.kill(Number(pid));
  });

  it('that goes away is told of once, tried again, and told of when it is back', async () => {
    await open();
    const end = new AbortController();
    const pauses: number[] = [];
    const clock = {
      now: () => rig.time.now,
      sleep: async (ms: number) => {
        pauses.push(ms);
        rig.time.now += ms;
        if (pauses.length === 1) await server.stop();
        if (pauses.length === 4) {
          await server.start();
          await arrive('leads-1.csv', 'one');
        }
        if (pauses.length === 6) end.abort();
      },
    };
    expect(await rig.check()).toBeNull();
    await (await rig.watcher({ clock })).watch(end.signal);
    expect(pauses).toEqual([2000, 30_000, 60_000, 120_000, 2000, 2000]);
    const told = (await rig.notices()).map(({ kind, sentence }) => `${kind}: ${sentence}`);
    expect(told).toHaveLength(3);
    expect(told[0]).toMatch(/^stopped: sftp:\/\/.*(?:lost|answers)/);
    expect(told[1]).toMatch(/^finished/);
    expect(told[2]).toMatch(/^recovered: .* is back\.$/);
    expect(texts()).toEqual(['one']);
  });
});

describe.skipIf(WITHOUT_PASSWORDS !== '')(
  `an SFTP server with passwords${WITHOUT_PASSWORDS}`,
  () => {
    const PASSWORD = 'a Pässword of ours';
    let server: SshServer;
    let rig: Rig;
    afterEach(async () => {
      await rig.remove();
      await server.remove();
    });

    const watch = async (sftp: Record<string, unknown>, password = PASSWORD): Promise<number> => {
      const from = `sftp://${server.user}@127.0.0.1:${server.port}${server.folder}`;
      const access = { knownHosts: server.knownHosts, password: '${WORD}', ...sftp };
      rig = await openRig({ from, sftp: access }, { WORD: password, HOME: server.folder });
      return (await rig.watcher()).once(NEVER);
    };

    it.each(['password', 'keyboard-interactive'] as const)(
      'lets in with the right one alone, asked for by %s',
      async (by) => {
        server = await openSshServer({ password: { text: PASSWORD, by } });
        await writeFile(join(server.folder, 'leads-1.csv'), 'one');
        await expect(watch({}, 'another one')).rejects.toThrow(/refuses the user, .* password/);
        expect(rig.notes.join()).not.toContain('another one');
        await rig.remove();
        expect(await watch({})).toBe(0);
        expect([...rig.imported.values()].map(({ text }) => text)).toEqual(['one']);
        expect(await readdir(server.folder)).toEqual(expect.arrayContaining(['done']));
        expect(server.log()).toMatch(/Failed .* for .*Accepted .* for /s);
      },
    );

    it('is shown no password where its key is not known', async () => {
      server = await openSshServer({ password: { text: PASSWORD, by: 'password' } });
      await expect(watch({ knownHosts: join(server.folder, 'none') })).rejects.toThrow(
        /ssh-keyscan/,
      );
      expect(server.log()).not.toMatch(/password|Accepted|Failed/);
    });
  },
);

it('a host is known by its name and port, in any of the forms of OpenSSH', () => {
  const key = Buffer.from('a key');
  const text = key.toString('base64');
  const verdict = (line: string, host = 'files.example.com') => verdictOnKey(line, host, key);
  expect(verdict(`files.example.com,192.0.2.1 ssh-ed25519 ${text} a comment`)).toBe('known');
  expect(verdict(`# files.example.com ssh-ed25519 ${text}`)).toBe('unknown');
  expect(verdict(`*.example.com ssh-ed25519 ${text}`)).toBe('known');
  expect(verdict(`*.example.com,!files.example.com ssh-ed25519 ${text}`)).toBe('unknown');
  expect(verdict(`files.example.com ssh-ed25519 ${text}`, '[files.example.com]:2222')).toBe(
    'unknown',
  );
  expect(verdict('files.example.com ssh-ed25519 AAAA')).toBe('changed');
  expect(verdict(`@cert-authority files.example.com ssh-ed25519 ${text}`)).toBe('unknown');
});

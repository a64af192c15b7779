import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const INSTALLED = '/usr/lib/postgresql';

/** A server of the bench's own, on a socket in a folder that is removed with it. Everybody on it is trusted. */
export function startPostgres() {
  const [version] = existsSync(INSTALLED)
    ? readdirSync(INSTALLED).toSorted((a, b) => Number(b) - Number(a))
    : [];
  if (version === undefined) throw new Error('PostgreSQL is not installed.');
  const bin = join(INSTALLED, version, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'cardline-bench-pg-'));
  const user = owner();
  if (user) chownSync(folder, user.uid, user.gid);
  const run = (name, ...args) => {
    const ended = spawnSync(join(bin, name), args, { ...user, cwd: folder, stdio: 'ignore' });
    if (ended.status !== 0) throw new Error(`${name} ended with ${ended.status}.`);
  };
  const data = join(folder, 'data');
  run('initdb', '-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8');
  const options = `-k ${folder} -c listen_addresses=`;
  run('pg_ctl', '-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start');
  let databases = 0;
  const addressOf = (name) =>
    `postgres://owner@localhost/${name}?host=${encodeURIComponent(folder)}`;
  const ask = async (name, statement) => {
    const client = new pg.Client({ host: folder, user: 'owner', database: name });
    await client.connect();
    try {
      return (await client.query(statement)).rows[0];
    } finally {
      await client.end();
    }
  };
  return {
    /** An empty database: its address, and a way to ask it. */
    database: async () => {
      const name = `d${++databases}`;
      await ask('postgres', `CREATE DATABASE ${name}`);
      return { ledger: addressOf(name), ask: (statement) => ask(name, statement) };
    },
    remove: () => {
      run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server refuses to run as root. */
function owner() {
  if (process.getuid?.() !== 0) return undefined;
  const id = (which) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PASSWORD, POSTGRES, freePort } from './postgres.js';

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));

/** Whether a pooler can be tested, which needs a server too. */
export const HAS_POOLER = PROGRAM !== undefined && POSTGRES !== undefined;

/** Said where tests need one. */
export const WITHOUT_POOLER = HAS_POOLER
  ? ''
  : ' (skipped: pgbouncer or PostgreSQL is not installed)';

/** A connection pooler of the test's own. */
export interface Pooler {
  /** The address of a database by way of the pooler. */
  by(address: string): string;
  remove(): void;
}

/** `mode`: for how long a client has a connection to the server at `port`, of which there are two. */
export async function startPooler(
  port: number,
  mode: 'transaction' | 'statement',
): Promise<Pooler> {
  if (PROGRAM === undefined) throw new Error('pgbouncer is not installed.');
  const folder = mkdtempSync(join(tmpdir(), 'cardline-pgb-'));
  const own = await freePort();
  writeFileSync(join(folder, 'users'), `"owner" "${PASSWORD}"\n`);
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${port}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
    `auth_type = scram-sha-256\nauth_file = ${join(folder, 'users')}`,
    `pool_mode = ${mode}\ndefault_pool_size = 2`,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), settings.join('\n'));
  const running = spawn(PROGRAM, [join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...userFor(folder),
  });
  await untilReady(own, running);
  return {
    by: (address) => {
      const url = new URL(address);
      url.port = String(own);
      return url.href;
    },
    remove: () => {
      running.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It refuses to run as root. */
function userFor(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (getuid?.() !== 0) return {};
  const id = (which: string): number =>
    Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }));
  const user = { uid: id('-u'), gid: id('-g') };
  for (const path of ['.', 'users']) chownSync(join(folder, path), user.uid, user.gid);
  return user;
}

async function untilReady(port: number, running: ChildProcess): Promise<void> {
  while (!(await answers(port))) {
    if (running.exitCode !== null) throw new Error(`pgbouncer ended with ${running.exitCode}.`);
    await sleep(50);
  }
}

function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

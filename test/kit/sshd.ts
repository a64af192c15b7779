import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SSHD = '/usr/sbin/sshd';
const HAS_SSHD = existsSync(SSHD);

/** Said where tests need a server. */
export const WITHOUT_SSHD = HAS_SSHD ? '' : ' (skipped: openssh-server is not installed)';

/** Whether a command ends well here. */
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/**
 * Passwords are those of the users of the machine. Root of Linux may show a single process others than there are, so that
 * nothing of the machine is changed.
 */
const maySetPasswords =
  HAS_SSHD &&
  process.getuid?.() === 0 &&
  works('openssl', 'version') &&
  works('unshare', '-m', 'mount', '--bind', '/etc/shadow', '/etc/shadow');

/** Said where tests need a server that lets in by password. */
export const WITHOUT_PASSWORDS = maySetPasswords
  ? ''
  : ' (skipped: it takes openssh-server, openssl, and root of Linux)';

export interface SshServerOptions {
  /** Files can be read only. @default false */
  readonly isReadOnly?: boolean;
  /** This password lets in, asked for in one of the two ways of SSH, and no key does. @default keys let in */
  readonly password?: { readonly text: string; readonly by: 'password' | 'keyboard-interactive' };
}

/** A server of the test's own, on the loopback address, with keys of its own. */
export interface SshServer {
  readonly user: string;
  readonly port: number;
  /** Folder for files that the test serves. */
  readonly folder: string;
  /** Private key that is let in, one that needs a passphrase, and one that is not let in. */
  readonly keys: Readonly<Record<'good' | 'locked' | 'bad', string>>;
  /** File of known hosts with the key of the server. */
  readonly knownHosts: string;
  /** What the server has written of its connections. */
  log(): string;
  start(): Promise<void>;
  /** Ends the server and all of its connections. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

export const PASSPHRASE = 'words-for-a-key';

export async function openSshServer(options: SshServerOptions = {}): Promise<SshServer> {
  const { isReadOnly = false, password } = options;
  const folder = mkdtempSync(join(tmpdir(), 'cardline-sshd-'));
  const at = (name: string): string => join(folder, name);
  const key = (name: string, passphrase = ''): string => {
    const args = ['-q', '-t', 'ed25519', '-N', passphrase, '-f', at(name)];
    execFileSync('ssh-keygen', args);
    return at(name);
  };
  const host = key('host');
  const keys = { good: key('good'), locked: key('locked', PASSPHRASE), bad: key('bad') };
  const publicOf = (path: string): string => readFileSync(`${path}.pub`, 'utf8');
  writeFileSync(at('authorized'), publicOf(keys.good) + publicOf(keys.locked), { mode: 0o600 });
  const port = await freePort();
  writeFileSync(at('known_hosts'), `[127.0.0.1]:${port} ${publicOf(host)}`);
  mkdirSync(at('served'));
  const settings = [
    ...[`ListenAddress 127.0.0.1:${port}`, `HostKey ${host}`, `PidFile ${at('pid')}`],
    ...[`AuthorizedKeysFile ${at('authorized')}`, 'StrictModes no', 'PermitRootLogin yes'],
    ...['LogLevel VERBOSE', ...loginSettings(password?.by)],
    `Subsystem sftp internal-sftp${isReadOnly ? ' -R' : ''}`,
  ];
  writeFileSync(at('config'), `${settings.join('\n')}\n`);
  // Where nobody has started it as a service, its folder for separation is missing.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  let running: ChildProcess | undefined;
  const server: SshServer = {
    ...{ user: userInfo().username, port, keys, knownHosts: at('known_hosts') },
    folder: at('served'),
    log: () => readFileSync(at('log'), 'utf8'),
    start: async () => {
      // A group of its own, so that its connections end with it.
      const command = [SSHD, '-D', '-f', at('config'), '-E', at('log')];
      const [program = '', ...args] =
        password === undefined
          ? command
          : [...withShadow(at('shadow'), userInfo().username, password.text), ...command];
      running = spawn(program, args, { detached: true });
      for (let tries = 0; !(await answers(port)); tries++) {
        if (tries > 200) throw new Error(`sshd does not start: ${readFileSync(at('log'), 'utf8')}`);
        await sleep(25);
      }
    },
    stop: async () => {
      const ended = running;
      running = undefined;
      if (ended?.pid === undefined) return;
      const over = new Promise((resolve) => ended.once('close', resolve));
      for (const child of childrenOf(ended.pid)) kill(child);
      kill(ended.pid);
      await over;
    },
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

function loginSettings(by: 'password' | 'keyboard-interactive' | undefined): string[] {
  const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');
  return [
    // The other way is that of PAM.
    `UsePAM ${yesOrNo(by === 'keyboard-interactive')}`,
    `PasswordAuthentication ${yesOrNo(by === 'password')}`,
    `KbdInteractiveAuthentication ${yesOrNo(by === 'keyboard-interactive')}`,
    `AuthenticationMethods ${by ?? 'publickey'}`,
  ];
}

/** What a command is put behind, so that it sees this password of the user. */
function withShadow(file: string, user: string, password: string): string[] {
  const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], {
    input: password,
    encoding: 'utf8',
  });
  writeFileSync(file, `${user}:${hash.trim()}:20000:0:99999:7:::\n`, { mode: 0o600 });
  const script = 'mount --bind "$0" /etc/shadow && exec "$@"';
  return ['unshare', '-m', 'sh', '-c', script, file];
}

/** Each connection is a process below that of the server, in a session of its own. */
function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`;
  const own = existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean) : [];
  return own.map(Number).flatMap((child) => [...childrenOf(child), child]);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

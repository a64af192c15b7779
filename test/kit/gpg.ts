import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HAS_GPG = ((): boolean => {
  try {
    execFileSync('gpg', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Empty where gpg is installed, else why tests are skipped. */
export const WITHOUT_GPG = HAS_GPG ? '' : ' (skipped: gpg is not installed)';

/** A key of OpenPGP, in a folder of its own. */
export interface Gpg {
  readonly home: string;
  /** What a watcher needs to decrypt. */
  readonly env: { readonly PATH: string; readonly GNUPGHOME: string };
  encrypt(content: string | Buffer, to: string): void;
  close(): void;
}

export function openGpg(): Gpg {
  // The agent's socket has to have a short path.
  const home = mkdtempSync(join(tmpdir(), 'cl-gpg-'));
  const env = { PATH: process.env['PATH'] ?? '', GNUPGHOME: home };
  const gpg = (...args: string[]): void =>
    void execFileSync('gpg', ['--batch', '--quiet', '--yes', ...args], { env, stdio: 'pipe' });
  const key = ['leads@example.com', 'future-default', 'default', 'never'];
  gpg('--passphrase', '', '--quick-gen-key', ...key);
  return {
    ...{ home, env },
    encrypt: (content, to) => {
      const clear = join(home, 'clear');
      writeFileSync(clear, content);
      gpg('--trust-model', 'always', '-r', 'leads@example.com', '-o', to, '--encrypt', clear);
      rmSync(clear);
    },
    close: () => {
      execFileSync('gpgconf', ['--kill', 'all'], { env });
      rmSync(home, { recursive: true, force: true });
    },
  };
}

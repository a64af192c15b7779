import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether there is the command that makes certificates. */
export const HAS_OPENSSL = ((): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const openssl = (folder: string, ...args: string[]): Buffer =>
  execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes `name.key` and `name.crt`, which signs others. */
export function makeAuthority(folder: string, name: string): void {
  openssl(
    folder,
    'req',
    '-x509',
    ...KEY,
    '-days',
    '30',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.crt`,
  );
}

/** Makes `name.key` and `name.crt`, signed by an authority. */
export function makeCertificate(
  folder: string,
  name: string,
  authority: string,
  extension: string,
): void {
  openssl(
    folder,
    'req',
    ...KEY,
    '-subj',
    `/CN=${name}`,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
  );
  writeFileSync(join(folder, `${name}.ext`), extension);
  openssl(
    folder,
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    '-CA',
    `${authority}.crt`,
    '-CAkey',
    `${authority}.key`,
    '-set_serial',
    String(Math.floor(Math.random() * 1e9)),
    '-days',
    '30',
    '-extfile',
    `${name}.ext`,
    '-out',
    `${name}.crt`,
  );
}

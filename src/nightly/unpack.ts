import { rm } from 'node:fs/promises';
import { join, basename } from 'node:path';
import type { ClaimedFile } from './places/place.js';
import { codeOf, CardlineError, InputError, EXIT } from '../core/errors.js';
import { isDiskFull, makeFolder } from '../files/regular-file.js';
import type { Secrets } from './pickup/schema.js';
import { unpackZip } from '../source/source.js';
import { spawn } from 'node:child_process';

/** How the names of files end that are packed or encrypted. What they hold decides; this says whether to look. */
const ENDS = { zip: /\.zip$/i, encrypted: /\.(?:pgp|gpg|asc)$/i } as const;

/**
 * The lists of a file: itself, or what it holds. What is unpacked or decrypted lies in `folder`, which `discardUnpacked`
 * removes; what was left there by a watcher that was killed is removed first.
 * @throws UnpackError
 */
export async function unpack(
  file: Pick<ClaimedFile, 'name' | 'path'>,
  folder: string,
  env: Secrets,
  signal: AbortSignal,
): Promise<ListFile[]> {
  await discardUnpacked(folder);
  if (!Object.values(ENDS).some((end) => end.test(file.name)))
    return [{ path: file.path, part: null }];
  try {
    return await unpackInto(file, folder, env, signal);
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof CardlineError || code === '') throw error;
    const why = isDiskFull(error)
      ? 'the disk is full. Free some space'
      : `its folder cannot be written (${code})`;
    throw new UnpackError(`${file.name} cannot be unpacked into ${folder}: ${why}.`, false, {
      cause: error,
    });
  }
}

async function unpackInto(
  file: Pick<ClaimedFile, 'name' | 'path'>,
  folder: string,
  env: Secrets,
  signal: AbortSignal,
): Promise<ListFile[]> {
  makeFolder(folder);
  if (!ENDS.encrypted.test(file.name)) return listsInZip(file.name, file.path, folder);
  const name = basename(file.name.replace(ENDS.encrypted, ''));
  const clear = join(folder, name === '' || name.startsWith('.') ? 'list' : name);
  await decrypt(file, clear, env, signal);
  if (!ENDS.zip.test(name)) return [{ path: clear, part: null }];
  return listsInZip(file.name, clear, join(folder, '.lists'));
}

export async function discardUnpacked(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

/** The lists of a zip file, unpacked into a folder, in the order of their names. @throws UnpackError */
async function listsInZip(name: string, path: string, folder: string): Promise<ListFile[]> {
  makeFolder(folder);
  const lists = await unpackZip(path, folder).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    throw new UnpackError(`${name} cannot be unpacked: ${error.reason}`, true, { cause: error });
  });
  if (lists.length === 0) throw new UnpackError(`${name} holds no list.`, true);
  return lists.map((list) => ({ path: list.path, part: list.name }));
}

/** Much of what gpg says repeats names of keys; so much of it is shown. */
const MAX_WORDS = 600;

const OPTIONS = ['--batch', '--no-tty', '--yes', '--quiet', '--status-fd', '1', '--no-options'];

/** What gpg reports of a file (doc/DETAILS of GnuPG), with what it means for a person. */
const STATUSES: readonly (readonly [status: RegExp, isOfFile: boolean, words: string])[] = [
  [
    /No space left on device|Disk quota exceeded/,
    false,
    'the disk is full where it is decrypted to. Free some space',
  ],
  [
    /^NO_SECKEY |No secret key/m,
    false,
    'the key that it is encrypted for is not on this machine. Import it with "gpg --import", as the user of the watcher',
  ],
  [
    /^(?:BAD_PASSPHRASE|MISSING_PASSPHRASE) /m,
    false,
    'the key needs a passphrase. Give it to the agent of gpg, or use a key without one',
  ],
  [/^(?:BADMDC|BADSIG) /m, true, 'it was changed on its way. Have it sent again'],
  [/^DECRYPTION_FAILED/m, true, 'it is damaged or cut short. Have it sent again'],
  [/^NODATA /m, true, 'it is not encrypted with OpenPGP. Have it sent again'],
];

/**
 * Decrypts a file with the gpg of this machine. When that fails, nothing of the clear text is left.
 * @throws UnpackError
 */
async function decrypt(
  file: Pick<ClaimedFile, 'name' | 'path'>,
  to: string,
  env: Secrets,
  signal: AbortSignal,
): Promise<void> {
  const { code, status, words } = await gpg(file, to, env, signal);
  signal.throwIfAborted();
  // A message without protection against changes ends with 0 in some versions.
  if (code === 0 && /^DECRYPTION_OKAY/m.test(status)) return;
  await rm(to, { force: true });
  const [, isOfFile, why] = STATUSES.find(([pattern]) => pattern.test(`${status}\n${words}`)) ?? [
    undefined,
    true,
    `gpg says: ${words || 'nothing'}`,
  ];
  throw new UnpackError(
    `${file.name} cannot be decrypted (gpg ended with ${code ?? 'a signal'}): ${why}.`,
    isOfFile,
  );
}

interface Ended {
  readonly code: number | null;
  readonly status: string;
  readonly words: string;
}

function gpg(
  { name, path }: Pick<ClaimedFile, 'name' | 'path'>,
  to: string,
  env: Secrets,
  signal: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const args = [...OPTIONS, '--output', to, '--decrypt', '--', path];
    const child = spawn('gpg', args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment(env) });
    const end = (): void => void child.kill();
    signal.addEventListener('abort', end, { once: true });
    let [status, words] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      status += text.replaceAll('[GNUPG:] ', '');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(0, MAX_WORDS);
    });
    child.on('error', (error) => {
      reject(codeOf(error) === 'ENOENT' ? noGpg(name) : error);
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', end);
      resolve({ code, status, words: words.trim().replaceAll(/\s*\n\s*/g, '; ') });
    });
  });
}

const noGpg = (name: string): UnpackError =>
  new UnpackError(
    `${name} is encrypted, and gpg is not on this machine. Install it: "apt-get install gpg", "dnf install gnupg2", "apk add gnupg" or "brew install gnupg".`,
    false,
  );

/** gpg needs to find its home and its agent, and nothing else: no secret of the pickups. */
function environment(env: Secrets): Record<string, string> {
  const kept = ['PATH', 'HOME', 'GNUPGHOME', 'XDG_RUNTIME_DIR', 'TMPDIR', 'SystemRoot', 'APPDATA'];
  const found = kept.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // Its words are read, and are to be the same everywhere.
  return { ...Object.fromEntries(found), LC_ALL: 'C.UTF-8' };
}

/** A file cannot be unpacked or decrypted. Nothing of it was sent. */
class UnpackError extends CardlineError {
  constructor(
    message: string,
    /** Whether the file is wrong, and not this machine. */
    isOfFile: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.exitCode = isOfFile ? EXIT.usage : EXIT.stopped;
  }
  readonly exitCode: typeof EXIT.usage | typeof EXIT.stopped;
}

/** A list that can be imported. */
export interface ListFile {
  readonly path: string;
  /** Its name in an archive; `null` where the file that arrived is the list. */
  readonly part: string | null;
}

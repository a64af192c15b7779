import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { executable } from '../../kit/cardline.js';

/** Loaded into the command: leaves behind what it used. */
const USAGE = new URL('./usage.mjs', import.meta.url).href;
/** Seconds after which a command is taken to hang; nothing here works for so long. */
const HANGS = 300;
/** Characters of output that are kept. */
const KEPT = 2 ** 20;
const COMMANDS = ['rows', 'check', 'import'] as const;
type Command = (typeof COMMANDS)[number];
const CODES = { rows: [0, 64], check: [0, 2, 64], import: [0, 2, 64] };
/** Most memory that a command may take, in MB. */
const MEMORY = 400;
/** Longest message, so that no file can fill the screen. */
const MESSAGE = 4_000;
const NOT_SURE = 'the encoding is not sure';

/** How a command ended, and what it took. */
interface Measured {
  /** Most memory at a time. */
  readonly megabytes: number;
  /** `null`: it was killed, since it hung. */
  readonly code: number | null;
  /** Its beginning. */
  readonly stdout: string;
  /** Line ends of all of it. */
  readonly lines: number;
  readonly stderr: string;
}

/** What became of a file in the three commands. */
export interface Verdicts extends Readonly<Record<Command, Measured>> {
  /** Clients that the contact center was sent. */
  readonly sent: number;
  /** Names under which a message may tell what is wrong: of the file and of the mapping. */
  readonly names: readonly string[];
}

/** Runs the built command line to its end. `usage`: a file that can be made. */
export async function measured(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  usage: string,
): Promise<Measured> {
  const child = spawn(process.execPath, ['--import', USAGE, executable, ...args], {
    env: { ...process.env, ...env, HOSTILE_USAGE: usage },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANGS * 1000,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr, lines] = ['', '', 0];
  child.stdout.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
    if (stdout.length < KEPT) stdout += bytes.toString();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  // One that was killed leaves nothing; its code says so.
  const used = await readFile(usage, 'utf8').catch(() => '{"megabytes":null}');
  await rm(usage, { force: true });
  const { megabytes } = JSON.parse(used) as Pick<Measured, 'megabytes'>;
  return { code, stdout, lines, stderr, megabytes };
}

/** Whatever is not as it should be, in words; nothing when all is well. */
export const faultsOf = (verdicts: Verdicts): string[] => [
  ...COMMANDS.flatMap((command) => ending(command, verdicts)),
  ...agreement(verdicts),
];

function ending(command: Command, { names, [command]: run }: Verdicts): string[] {
  const { code, stderr, megabytes } = run;
  const told = stderr.trimEnd().split('\n').at(-1) ?? '';
  const faults = {
    [`ended with ${code}: ${told}`]: code === null || !CODES[command].includes(code),
    [`shows a stack: ${stderr}`]: /\n\s+at /.test(stderr),
    [`took ${megabytes} MB`]: megabytes > MEMORY,
    [`does not name the file: ${told}`]:
      code === 64 && !names.some((name) => stderr.includes(name)),
    [`says too much: ${stderr.length} letters`]: stderr.length > MESSAGE,
    [`prints control characters: ${JSON.stringify(stderr)}`]: /[^\P{Cc}\n]/u.test(stderr),
  };
  return Object.entries(faults).flatMap(([text, is]) => (is ? [`${command} ${text}`] : []));
}

/** The three commands read the same file: none may see more in it than another. */
function agreement({ rows, check, import: imported, sent }: Verdicts): string[] {
  const faults: string[] = [];
  if (rows.code === 64 && check.code !== 64) faults.push('check takes what rows refuses');
  // An import that nobody watches takes no text of which two encodings make sense.
  if (imported.code === 64 && sent === 0 && imported.stderr.includes(NOT_SURE)) return faults;
  if (check.code !== imported.code)
    faults.push(`check ends with ${check.code}, import with ${imported.code}`);
  if (imported.code === 64 && sent > 0) faults.push(`${sent} clients of a broken file were sent`);
  if (check.code === 64 || check.code === null) return faults;
  const found = JSON.parse(check.stdout) as { rows: number; clients: number };
  if (rows.lines !== found.rows + 1)
    faults.push(`rows gives ${rows.lines} lines, check has ${found.rows} rows`);
  if (found.clients !== sent) faults.push(`${sent} clients were sent of ${found.clients}`);
  return faults;
}

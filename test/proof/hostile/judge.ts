import type { Measured } from './measured.js';

/** What became of a file in the three commands. */
export interface Verdicts {
  readonly rows: Measured;
  readonly check: Measured;
  readonly import: Measured & {
    /** Clients that the contact center was sent. */
    readonly sent: number;
  };
  /** Names under which a message may tell what is wrong: of the file and of the mapping. */
  readonly names: readonly string[];
}

const CODES = { rows: [0, 64], check: [0, 2, 64], import: [0, 2, 64] } as const;
/** Most memory that a command may take, in MB. */
const MEMORY = 400;
/** Longest message, so that no file can fill the screen. */
const MESSAGE = 4_000;
const NOT_SURE = 'the encoding is not sure';

/** Whatever is not as it should be, in words; nothing when all is well. */
export function faultsOf(verdicts: Verdicts): string[] {
  const { rows, check, names } = verdicts;
  return [
    ...ending('rows', rows, names),
    ...ending('check', check, names),
    ...ending('import', verdicts.import, names),
    ...agreement(verdicts),
  ];
}

function ending(command: keyof typeof CODES, run: Measured, names: readonly string[]): string[] {
  const { code, stderr, megabytes } = run;
  const told = stderr.trimEnd().split('\n').at(-1) ?? '';
  const codes: readonly (number | null)[] = CODES[command];
  const faults = {
    [`ended with ${code}: ${told}`]: !codes.includes(code),
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
function agreement({ rows, check, import: imported }: Verdicts): string[] {
  const faults: string[] = [];
  if (rows.code === 64 && check.code !== 64) faults.push('check takes what rows refuses');
  // An import that nobody watches takes no text of which two encodings make sense.
  if (imported.code === 64 && imported.sent === 0 && imported.stderr.includes(NOT_SURE))
    return faults;
  if (check.code !== imported.code)
    faults.push(`check ends with ${check.code}, import with ${imported.code}`);
  if (imported.code === 64 && imported.sent > 0)
    faults.push(`${imported.sent} clients of a broken file were sent`);
  if (check.code === 64 || check.code === null) return faults;
  const found = JSON.parse(check.stdout) as { rows: number; clients: number };
  if (rows.lines !== found.rows + 1)
    faults.push(`rows gives ${rows.lines} lines, check has ${found.rows} rows`);
  if (found.clients !== imported.sent)
    faults.push(`${imported.sent} clients were sent of ${found.clients}`);
  return faults;
}

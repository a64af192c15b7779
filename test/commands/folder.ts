import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { cardline, type Ended, type Invocation } from '../kit/cardline.js';
import { onTerminal } from '../kit/on-terminal.js';
import { words } from '../kit/words.js';

export const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: { column: Id, transform: [number] } }
  phones: [{ column: Phone, type: MOB }]
`;
/** An installation at this address. By default nothing listens there. */
export const centerAt = (url = 'http://127.0.0.1:9', more = ''): string =>
  `name: test\nbaseUrl: ${url}\ncard: { offerId: { type: Number, sync: true } }\n${more}`;

/** Clients by their numbers. */
export const leadsFrom = (first: number, last: number, delimiter = ','): string =>
  ['Id', ...Array.from({ length: last - first + 1 }, (_, at) => first + at)]
    .map((id, at) => [id, at === 0 ? 'Phone' : `7916${1_000_000 + Number(id)}`].join(delimiter))
    .map((line) => `${line}\n`)
    .join('');

type Line = Parameters<typeof words>;

/**
 * A folder for the tests of one file, with a mapping of leads, an installation that cannot be reached, and these files
 * beside them. It is there from the first test to the last, and commands run in it.
 */
export function useFolder(files: Readonly<Record<string, string>> = {}) {
  let folder = '';
  const at = (...names: string[]): string => join(folder, ...names);
  const write = async (name: string, text: string | Uint8Array): Promise<string> => {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), text);
    return at(name);
  };
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'cardline-commands-')));
    const all = { 'mapping.yaml': MAPPING, 'center.yaml': centerAt(), ...files };
    for (const [name, text] of Object.entries(all)) await write(name, text);
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    at,
    write,
    read: (...names: string[]): Promise<string> => readFile(at(...names), 'utf8'),
    /** Runs a command line, as a person types it. */
    run: (...line: Line): Promise<Ended> => cardline(words(...line), { cwd: folder }),
    /** The same, with more than the line. */
    runWith:
      (invocation: Invocation) =>
      (...line: Line): Promise<Ended> =>
        cardline(words(...line), { cwd: folder, ...invocation }),
    /** What a command prints as JSON. */
    json: async <T>(...line: Line): Promise<T> => {
      const { stdout, stderr } = await cardline(words(...line), { cwd: folder });
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as T;
    },
    /** Runs it on a terminal of 80 columns. */
    onTerminal: async (...line: Line): Promise<Ended> => {
      const before = process.cwd();
      process.chdir(folder);
      try {
        return await onTerminal(words(...line));
      } finally {
        process.chdir(before);
      }
    },
  };
}

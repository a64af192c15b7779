import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { cardline, type Ended } from '../kit/cardline.js';

const FILES = {
  'mapping.yaml': `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: { column: Id, transform: [number] } }
  phones: [{ column: Phone, type: MOB }]
`,
  // Nothing listens at this port.
  'center.yaml':
    'name: test\nbaseUrl: http://127.0.0.1:9\ncard: { offerId: { type: Number, sync: true } }\n',
};

/**
 * A folder for the tests of one file, with a mapping of leads, an installation that cannot be reached, and these files
 * beside them. It is there from the first test to the last.
 */
export function leadsFolder(files: Readonly<Record<string, string>> = {}) {
  let folder = '';
  const at = (...names: string[]): string => join(folder, ...names);
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'cardline-leads-')));
    for (const [name, text] of Object.entries({ ...FILES, ...files }))
      await writeFile(at(name), text);
  });
  afterAll(() => rm(folder, { recursive: true }));
  return {
    at,
    /** Runs the command line in the folder. */
    run: (...args: string[]): Promise<Ended> => cardline(args, { cwd: folder }),
  };
}

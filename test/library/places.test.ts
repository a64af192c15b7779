import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as library from '../../src/index.js';
import { makePlaces, PLACES, type UnusablePlace } from '../kit/unusable-places.js';
import { testFolder } from '../kit/folder.js';

/** Nothing of it is looked at: nothing else is there. */
const FILES = { files: ['none.csv'], mapping: 'none.yaml', installation: 'none.yaml' };
const RUN = { run: '20260101-01' };

/** Everything of the library that writes, by the options that say where. */
const WRITERS: Record<string, (place: UnusablePlace) => Promise<unknown>> = {
  'importFiles out': ({ folder: out }) => library.importFiles({ ...FILES, out }),
  'importFiles ledger': ({ ledger }) => library.importFiles({ ...FILES, ledger }),
  'importFiles metricsFile': ({ file: metricsFile }) =>
    library.importFiles({ ...FILES, metricsFile }),
  'startImport out': ({ folder: out }) => library.startImport({ ...FILES, out }).result,
  'reconcileFiles out': ({ folder: out }) => library.reconcileFiles({ ...FILES, out }),
  'reconcileFiles fix': ({ folder: fix }) => library.reconcileFiles({ ...FILES, fix }),
  'reconcileRun out': ({ folder: out }) => library.reconcileRun({ ...RUN, out }),
  'undoRun out': ({ folder: out }) => library.undoRun({ ...RUN, out }),
  'resumeRun out': ({ folder: out }) => library.resumeRun({ out }),
  'checkFiles out': ({ folder: out }) => library.checkFiles({ ...FILES, out }),
  'startCheck folder': ({ folder }) => library.startCheck({ ...FILES, folder }),
  'reportRun file': ({ file }) => library.reportRun({ ...RUN, file }),
  'draftInstallation file': ({ file }) =>
    library.draftInstallation({ file, url: 'http://x.example', identifiers: ['id'], force: true }),
  'startSandbox database': ({ ledger: database }) =>
    library.startSandbox({ installation: 'none.yaml', database }),
};

const folder = testFolder();
let places: Awaited<ReturnType<typeof makePlaces>>;
beforeAll(async () => {
  places = await makePlaces((name) => join(folder, name));
});
afterAll(async () => {
  await places.close();
});

describe.each(PLACES)('%s', (what) => {
  it.each(Object.entries(WRITERS))(
    'is refused before anything is done: %s',
    async (name, write) => {
      const place = places.of(what);
      const refusal = await write(place).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(library.UsageError);
      expect((refusal as Error).message).toMatch(place.words);
      expect((refusal as Error).message).toMatch(new RegExp(`^${name.split(' ')[1]}: `));
      expect(await readFile(join(folder, 'a-file'), 'utf8')).toBe('kept\n');
      expect((await readdir(folder)).sort()).toEqual(['a-file', 'full', 'read-only']);
    },
  );
});

it('a ledger that is only read is none where none can be', async () => {
  const { ledger, words } = places.of('a device');
  await expect(library.listRuns({ ledger })).rejects.toThrow(words);
});

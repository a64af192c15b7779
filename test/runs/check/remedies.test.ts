import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCheck, startCheck } from '../../../src/run/start-check.js';
import { testFolder } from '../../kit/folder.js';

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Id, budget: Budget }
  phones: [{ column: Phone, type: MOB, transform: [{ phone: { country: RU } }] }]
`;
const CENTER = `name: test
baseUrl: http://127.0.0.1:9
card:
  offerId: { type: Number, sync: true }
  budget: { type: Number }
`;
const ROWS = ['1;79161000001;1.234,50', '2;79161000002;7', '3;79161000003;2.101,00'];

const folder = testFolder();
let check: RunningCheck;
let group: number;
const at = (name: string): string => join(folder, name);
const here = (): AbortController => new AbortController();

beforeAll(async () => {
  await writeFile(at('mapping.yaml'), MAPPING);
  await writeFile(at('center.yaml'), CENTER);
  await writeFile(at('leads.csv'), `Id;Phone;Budget\n${ROWS.join('\n')}\n`);
  check = await startCheck({
    ...{ files: [at('leads.csv')], mapping: at('mapping.yaml'), installation: at('center.yaml') },
    folder: at('private'),
  });
  await check.result;
  group = check.state().groups[0]!.id;
});
afterAll(async () => {
  await check.close();
});

describe('remedies', () => {
  it('are tried no longer than somebody waits for them, and anew for the next one', async () => {
    const gone = here();
    const trying = check.remedies(group, gone.signal);
    gone.abort();
    await expect(trying).rejects.toThrow('The check was stopped.');
    expect(readdirSync(folder).filter((name) => name.startsWith('mapping.yaml.'))).toEqual([]);
    await expect(check.remedies(group, gone.signal)).rejects.toThrow('The check was stopped.');
    expect(await check.remedies(group, here().signal)).toMatchObject({
      ...{ rows: 3, isAll: true },
      remedies: [{ kind: 'number', gain: 2 }, { kind: 'drop' }],
    });
  });

  it('are tried on while one of several waits', async () => {
    const other = await startCheck({
      ...{ files: [at('leads.csv')], mapping: at('mapping.yaml'), installation: at('center.yaml') },
      folder: at('other'),
    });
    await other.result;
    const [gone, stays] = [here(), here()];
    const both = [gone, stays].map(({ signal }) => other.remedies(group, signal));
    gone.abort();
    expect((await Promise.all(both)).map((found) => found?.remedies.length)).toEqual([2, 2]);
    await other.close();
  });

  it('end with their check', async () => {
    const other = await startCheck({
      ...{ files: [at('leads.csv')], mapping: at('mapping.yaml'), installation: at('center.yaml') },
      folder: at('third'),
    });
    await other.result;
    const trying = other.remedies(group, here().signal);
    const closed = other.close();
    await expect(trying).rejects.toThrow('The check was stopped.');
    await closed;
  });
});

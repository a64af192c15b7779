import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { columnsOf, columnUses } from '../../src/mapping/column-uses.js';
import { compileMapping } from '../../src/mapping/compile.js';
import { loadMapping } from '../../src/mapping/mapping.js';
import { readTable } from '../../src/source/source.js';
import { root } from '../kit/cardline.js';
import { testFolder } from '../kit/folder.js';

const mappings = (await readdir(join(root, 'mappings'))).filter(
  (name) => name.endsWith('.yaml') && name !== 'installation.yaml',
);

const folder = testFolder();

async function written(mapping: object) {
  const file = join(folder, 'mapping.yaml');
  await writeFile(file, JSON.stringify(mapping));
  return loadMapping(file, { readTable });
}

/** The compiler asks for a column wherever it uses one: it must find them all, and miss none. */
it.each(mappings)('%s: finds the columns that the compiler uses', async (name) => {
  const mapping = await loadMapping(join(root, 'mappings', name), { readTable });
  const headers = columnsOf(mapping);
  expect([...compileMapping({ mapping, headers }).columns].sort()).toEqual([...headers].sort());
});

it('finds columns in every place where one can be named', async () => {
  const callAt = { column: 'When', pattern: 'dd.MM.yyyy HH:mm', timeZone: { column: 'Zone' } };
  const callbacks = await written({
    mode: 'callbacks',
    where: { all: [{ column: 'A', empty: false }, { not: { column: 'B', equals: 1 } }] },
    uuid: { template: '{{x}} {U}' },
    client: { fields: { id: { columns: ['C', ' D '], join: '-' } } },
    callback: {
      ...{ name: { value: 'x' }, description: 'E', phone: 'F', operatorId: 'G', callAt },
      callAutomatically: 'H',
    },
    campaign: { id: 1 },
  });
  const create = await written({
    report: { show: ['S', 'P'] },
    client: {
      ...{ clientRoleId: { value: 1 }, type: 'T', timeZone: 'Z' },
      fields: { id: { column: 'I', transform: ['trim', { template: '{value} {J}' }] } },
      phones: [{ column: 'P', type: { column: 'PT' }, active: 'PA', disabled: 'PD' }],
      emails: ['M', { column: 'N', active: 'NA' }],
      addresses: [{ template: '{Q} {R}', type: 'HOME' }],
    },
  });
  for (const mapping of [callbacks, create]) {
    const headers = columnsOf(mapping);
    expect([...compileMapping({ mapping, headers }).columns].sort()).toEqual([...headers].sort());
  }
  expect(columnUses(callbacks).find(({ column }) => column === 'When')).toMatchObject({
    target: 'call at',
    patterns: ['dd.MM.yyyy HH:mm'],
  });
});

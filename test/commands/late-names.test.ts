import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-late-'));
  await writeFile(
    join(folder, 'mapping.yaml'),
    `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: id }
  phones: [{ column: phone, type: MOB }]
`,
  );
  await writeFile(
    join(folder, 'center.yaml'),
    'name: test\nbaseUrl: http://127.0.0.1:9\ncard: { offerId: { type: Number, sync: true } }\n',
  );
});
afterAll(() => rm(folder, { recursive: true }));

it('names of late records cost a row only where the mapping needs them', async () => {
  const records: object[] = Array.from({ length: 10_000 }, (_, at) => ({
    id: at + 1,
    phone: `7916${1_000_000 + at}`,
  }));
  records.push({ id: 10_001, phone: '79167654321', note: 'late' });
  records.push({ id: 10_002, phone: { main: '79167654322' } });
  const lines = records.map((record) => JSON.stringify(record));
  lines.push('{"id":10003,"phone":"79167654323","phone":"79167654324"}');
  await writeFile(join(folder, 'leads.jsonl'), lines.join('\n'));
  const { stdout, stderr } = await cardline(
    ['check', 'leads.jsonl', '-m', 'mapping.yaml', '-i', 'center.yaml', '--json', '-q'],
    { cwd: folder },
  );
  expect(JSON.parse(stdout), stderr).toMatchObject({
    ...{ rows: 10_003, clients: 10_001, rejected: 2 },
    remarks: [{ column: null, code: 'unknown_name', count: 1, firstRow: 10_001 }],
    problems: [
      { column: null, code: 'unknown_name', firstRow: 10_002 },
      { column: 'phone', code: 'ambiguous_name', firstRow: 10_003 },
    ],
  });
});

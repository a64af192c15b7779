import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Id }
  phones: [{ column: Phone, type: MOB }]
`;
const leads = (rows: number): string =>
  `Id,Phone\n${Array.from({ length: rows }, (_, at) => `${at + 1},7916000${String(at).padStart(4, '0')}\n`).join('')}`;

let folder: string;
let server: Server;
/** How many clients are still accepted; the others fail. */
let accepts: number;
/** Whether the contact center answers at all. */
let busy: boolean;
let sent: number;
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-runs-'));
  [accepts, busy, sent] = [Infinity, false, 0];
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (busy) {
        response.writeHead(503, { 'retry-after': '0' }).end();
        return;
      }
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
        return;
      }
      const { clients } = JSON.parse(Buffer.concat(parts).toString()) as {
        clients: { uuid: string }[];
      };
      sent += clients.length;
      const createResult = clients.map(({ uuid }) =>
        accepts-- > 0
          ? { uuid, result: 'Success', createdClientId: sent }
          : { uuid, result: 'Field [fullName] is required.' },
      );
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ createResult }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await writeFile(at('mapping.yaml'), MAPPING);
  await writeFile(
    at('center.yaml'),
    `name: test\nbaseUrl: http://127.0.0.1:${port}\ncard: { offerId: { type: Number, sync: true } }\n`,
  );
  await writeFile(at('leads.csv'), leads(500));
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const importing = (...options: string[]) =>
  cardline(
    [
      'import',
      'leads.csv',
      '-m',
      'mapping.yaml',
      '-i',
      'center.yaml',
      '--batch-size',
      '50',
      '-q',
      ...options,
    ],
    { cwd: folder },
  );
const run = (...args: string[]) => cardline(args, { cwd: folder });

interface Listed {
  run: string;
  state: string;
  rows: number;
  out: string;
}
const listed = async (): Promise<Listed[]> =>
  JSON.parse((await run('runs', '--json')).stdout) as Listed[];

describe('a run that gave up', () => {
  it('is listed, is resumed without its command, and is then not repeated', async () => {
    busy = true;
    const gaveUp = await importing('--give-up-after', '1s');
    expect(gaveUp.code).toBe(3);
    // The last request may have had a moment only.
    expect(gaveUp.stderr).toMatch(/stayed busy|no whole answer within/);
    const [stopped] = await listed();
    expect(stopped).toMatchObject({ state: 'stopped', rows: 0 });

    busy = false;
    const resumed = await run('resume', '--quiet');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stdout).toContain(stopped!.run);
    expect(sent).toBe(500);
    expect(await listed()).toMatchObject([{ run: stopped!.run, state: 'finished', rows: 500 }]);
    expect((await run('runs', 'show', stopped!.run)).stdout).toMatch(/outcomes +created 500/);

    const repeated = await importing();
    expect(repeated.code).toBe(0);
    expect(repeated.stderr).toContain('--again');
    expect(repeated.stdout).toContain(join(stopped!.out, 'report.csv'));
    expect((await run('resume')).code).toBe(64);
    expect(sent).toBe(500);

    expect((await importing('--again')).code).toBe(0);
    expect(sent).toBe(1000);
  });

  it('is not continued when its input has changed, and says so', async () => {
    accepts = 120;
    expect((await importing('--max-failures', '10%', '--concurrency', '1')).code).toBe(3);
    const before = sent;
    await writeFile(at('leads.csv'), leads(499));
    const changed = await importing();
    expect(changed.code).toBe(64);
    expect(changed.stderr).toMatch(/the input has changed/);
    await writeFile(at('mapping.yaml'), `${MAPPING}duplicates: { by: none }\n`);
    expect((await run('resume')).stderr).toMatch(/the input and the mapping .*have changed/);
    expect(sent).toBe(before);
  });

  it('begins anew, whatever has changed, when it could send nothing', async () => {
    busy = true;
    await importing('--give-up-after', '1s');
    busy = false;
    await writeFile(at('leads.csv'), leads(499));
    const changed = await importing();
    expect(changed.code, changed.stderr).toBe(0);
    expect(sent).toBe(499);
    expect(await listed()).toMatchObject([{ state: 'finished', rows: 499 }]);
  });
});

describe('guard rails', () => {
  it('stop a run of which too much fails', async () => {
    accepts = 120;
    const stopped = await importing('--max-failures', '10%', '--concurrency', '1');
    expect(stopped.code).toBe(3);
    expect(stopped.stderr).toMatch(/more than the 10 % that are allowed/);
    expect(sent).toBeLessThan(300);
    accepts = Infinity;
    const rest = await importing();
    expect(rest.code).toBe(2);
    expect(sent).toBe(500);
  });

  it('send a canary first, and the others only if it lives', async () => {
    accepts = 0;
    const sick = await importing('--canary', '7');
    expect(sick.code).toBe(3);
    expect(sick.stderr).toMatch(/first rows failed/);
    expect(sent).toBe(7);
    accepts = Infinity;
    await rm(at('cardline.db'));
    expect((await importing('--canary', '7')).code).toBe(0);
    expect(sent).toBe(507);
  });

  it('warn of a file that is much shorter than the last one of its mapping', async () => {
    await importing();
    await writeFile(at('leads.csv'), leads(200));
    const { code, stderr } = await cardline(
      ['import', 'leads.csv', '-m', 'mapping.yaml', '-i', 'center.yaml'],
      { cwd: folder },
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/200 rows, where the last file of the same source had 500/);
  });
});

describe('runs', () => {
  it('are forgotten when they are old; their reports stay', async () => {
    await importing();
    const [finished] = await listed();
    expect((await run('runs', 'prune', '--older-than', '30d')).stdout).toMatch(/^0 runs/);
    expect((await run('runs', 'prune', '--older-than', '0s')).stdout).toMatch(/^1 runs/);
    expect(await listed()).toEqual([]);
    expect(readFileSync(join(finished!.out, 'report.csv'), 'utf8').split('\n')).toHaveLength(502);
  });

  it.each([
    [['runs', 'show', 'nope'], /has no run nope/],
    [['runs', 'prune'], /--older-than/],
    [['runs', 'prune', '--older-than', 'soon'], /takes a time such as/],
    [['runs', '--ledger', 'none.db'], /no ledger here/],
    [['resume', '--ledger', 'none.db'], /no ledger here/],
  ])('%j is told kindly', async (args, words) => {
    await importing();
    const { code, stderr } = await run(...args);
    expect(code).toBe(64);
    expect(stderr).toMatch(words);
  });

  it.each([
    [['--max-failures', 'many'], /takes a number of rows/],
    [['--max-failures', '200%'], /takes a number of rows/],
    [['--give-up-after', '5'], /takes a time such as/],
    [['--canary', '-1'], /takes a whole number/],
  ])('import %j is told kindly', async (args, words) => {
    const { code, stderr } = await importing(...args);
    expect(code).toBe(64);
    expect(stderr).toMatch(words);
  });
});

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cardline, startCardline } from '../kit/cardline.js';

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Id }
  phones: [{ column: Phone, type: MOB }]
`;
const installationAt = (baseUrl: string): string => `name: test
baseUrl: ${baseUrl}
headers: { Authorization: "Bearer \${CC_TOKEN_OF_THE_TEST}" }
card:
  offerId: { type: Number, sync: true }
`;

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-test-'));
  await writeFile(at('mapping.yaml'), MAPPING);
  await writeFile(at('center.yaml'), installationAt('http://127.0.0.1:9'));
  await writeFile(at('good.csv'), 'Id,Phone\n1,79160000001\n2,79160000002\n');
  await writeFile(at('mixed.csv'), 'Id,Phone\n3,79160000003\nfour,79160000004\n');
  await writeFile(at('broken.csv'), 'Id,Phone\n5,79160000005\n6,"79');
});

afterAll(() => rm(folder, { recursive: true }));

let runs = 0;
/** Arguments of an import with a ledger and a sandbox of its own. */
const importing = (file: string, ...options: string[]): string[] => {
  const name = `run-${++runs}`;
  const own = ['--ledger', at(`${name}.db`), '--out', at(name)];
  return ['import', file, '-m', at('mapping.yaml'), '-i', at('center.yaml'), ...own, ...options];
};

describe('importing into the embedded sandbox', () => {
  it('ends with 0 when every row ended well', async () => {
    const { code, stdout, stderr } = await cardline(importing(at('good.csv'), '--sandbox'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^rows +2$/m);
    expect(stdout).toMatch(/^ +created +2/m);
    expect(stdout).toContain(`report   ${at(`run-${runs}/report.csv`)}`);
    expect(stderr).toBe('good.csv: CSV, utf-8, delimiter ","\n');
    expect(existsSync(at(`run-${runs}.sandbox.db`))).toBe(true);
  });

  it('has a database of its own for clients who are identified otherwise', async () => {
    const args = (center: string, mapping: string): string[] => [
      ...['import', at('good.csv'), '-m', at(mapping), '-i', at(center), '--sandbox'],
      ...['--ledger', at('two.db')],
    ];
    expect((await cardline(args('center.yaml', 'mapping.yaml'))).code).toBe(0);
    const renamed = (text: string): string => text.replace('offerId', '"lead id"');
    await writeFile(at('other.yaml'), renamed(installationAt('http://127.0.0.1:9')));
    await writeFile(at('other-mapping.yaml'), renamed(MAPPING));
    const other = await cardline(args('other.yaml', 'other-mapping.yaml'));
    expect(other.code, other.stderr).toBe(0);
    expect(existsSync(at('two.sandbox-lead_id.db'))).toBe(true);
  });

  it('ends with 2 when a row did not, and says where the rejects are', async () => {
    const { code, stdout } = await cardline(importing(at('mixed.csv'), '--sandbox'));
    expect(code).toBe(2);
    expect(stdout).toContain(`rejects  ${at(`run-${runs}/rejects.csv`)}`);
  });

  it('prints the summary as JSON for scripts, and nothing else', async () => {
    const args = importing('-', '--sandbox', '--json', '--quiet');
    const { code, stdout, stderr } = await cardline(args, {
      input: readFileSync(at('mixed.csv')),
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 2,
      outcomes: { created: 1, rejected: 1 },
      inputs: ['standard input'],
      report: at(`run-${runs}/report.csv`),
      rejects: [at(`run-${runs}/rejects.csv`)],
    });
  });

  it('creates a missing campaign once, and tells its id', async () => {
    const args = importing(
      at('good.csv'),
      '--sandbox',
      '--campaign',
      '42',
      '--max-call-count',
      '2',
    );
    const first = await cardline(args);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^ +enqueued +2/m);
    expect(first.stderr).toContain(
      'There is no campaign 42 here. Campaign 1 "Campaign 42" was created',
    );
    const again = await cardline([...args, '--again']);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain(
      'There is no campaign 42 here. Campaign 1 "Campaign 42" is used.',
    );
    const byName = await cardline([...[...args, '--again', '--campaign', 'Campaign 42', '--json']]);
    expect(byName.stderr).not.toContain('campaign');
    expect(JSON.parse(byName.stdout)).toMatchObject({ campaignId: 1 });
  });
});

describe('imports that end early', () => {
  it.each([
    ['an input file', ['import', 'none.csv'], 'none.csv: there is no such file'],
    ['a mapping', ['import', 'good.csv', '-m', 'none.yaml'], 'none.yaml: there is no such file'],
    [
      'an installation',
      ['import', 'good.csv', '-i', 'none.yaml'],
      'none.yaml: there is no such file',
    ],
  ])('%s is missing: 64', async (_what, args, told) => {
    const given = (option: string, value: string): string[] =>
      args.includes(option) ? [] : [option, value];
    const all = [...args, ...given('-m', 'mapping.yaml'), ...given('-i', 'center.yaml')];
    const { code, stdout, stderr } = await cardline([...all, '--sandbox'], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain(told);
  });

  it('a broken input file: 64, and nothing is sent', async () => {
    const { code, stdout, stderr } = await cardline(importing(at('broken.csv'), '--sandbox'));
    expect(code).toBe(64);
    expect(stderr).toContain('broken.csv, line 3: ');
    expect(stdout).not.toContain('created');
  });

  it('a variable that the headers need is not set: 64', async () => {
    const { code, stderr } = await cardline(importing(at('good.csv')));
    expect(code).toBe(64);
    expect(stderr).toContain('CC_TOKEN_OF_THE_TEST');
  });

  describe('on a signal', () => {
    let server: Server;
    let asked: Promise<unknown>;
    let answer: boolean;

    /** A contact center that is slow, or never answers. */
    const center = async (answers: boolean): Promise<void> => {
      answer = answers;
      server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          if (request.method === 'GET') {
            response.writeHead(200).end('[]');
            return;
          }
          server.emit('asked');
          if (!answer) return;
          const { clients } = JSON.parse(Buffer.concat(chunks).toString()) as {
            clients: { uuid: string }[];
          };
          const createResult = clients.map(({ uuid }, index) => ({
            uuid,
            result: 'Success',
            createdClientId: index + 1,
          }));
          setTimeout(() => response.writeHead(201).end(JSON.stringify({ createResult })), 200);
        });
      });
      asked = once(server, 'asked');
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await writeFile(at('slow.yaml'), installationAt(`http://127.0.0.1:${port}`));
    };
    const started = () => {
      const args = importing(at('good.csv'), '-i', at('slow.yaml'), '--batch-size', '1');
      return startCardline([...args, '--concurrency', '1', '--json'], {
        env: { CC_TOKEN_OF_THE_TEST: 'secret' },
      });
    };

    it.each(['SIGINT', 'SIGTERM'] as const)(
      '%s lets the request in flight end: 3',
      async (signal) => {
        await center(true);
        const { child, ended } = started();
        await asked;
        child.kill(signal);
        const { code, stdout } = await ended;
        server.close();
        expect(code).toBe(3);
        expect(JSON.parse(stdout)).toMatchObject({ state: 'stopped', outcomes: { created: 1 } });
      },
    );

    it('a second one ends at once: 3', async () => {
      await center(false);
      const { child, ended } = started();
      await asked;
      child.kill('SIGINT');
      const again = setInterval(() => child.kill('SIGINT'), 100);
      const { code, stdout } = await ended;
      clearInterval(again);
      server.closeAllConnections();
      server.close();
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    });
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPage } from '../../src/web/server/start.js';
import type { SiteSettings } from '../../src/web/server/settings.js';
import { root } from '../kit/cardline.js';

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A served page, and what a test does with it. */
export interface PageBench {
  readonly folder: string;
  readonly port: number;
  readonly address: string;
  readonly openingFile: string;
  /** Sends a request as it is, without any header of its own but `Host`. */
  ask(path: string, asking?: Asking): Promise<Answered>;
  /** Token of a new tab. */
  session(): Promise<string>;
  /** Sends a request of the page. @returns the answer's JSON */
  api(name: string, body?: unknown): Promise<unknown>;
  upload(list: string, content: Buffer | string): Promise<Answered>;
  /** Ends the server; what lies in the folder stays. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export const SAMPLES = ['leads.csv', 'leads.xlsx', 'leads-1251.csv'].map((name) => ({
  name,
  path: join(root, 'samples', name),
  mapping: join(root, 'mappings', `${name.replace('.csv', '').replace('.', '-')}.yaml`),
}));

/** The server as it is built: threads of checks and imports are files of their own, which only that has. */
export const startBuiltPage = async (): Promise<typeof startPage> => {
  const built = new URL('../../dist/command/server.js', import.meta.url).href;
  return ((await import(built)) as { startPage: typeof startPage }).startPage;
};

/** Serves the page in this process. `page`: folder of the built page. Default: one with a document alone. */
export async function openPageBench(
  settings: Partial<SiteSettings> & {
    readonly file?: string | undefined;
    readonly start?: typeof startPage;
  } = {},
): Promise<PageBench> {
  const folder = await mkdtemp(join(tmpdir(), 'cardline-page-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>cardline</title>');
  const { file, start = startPage, ...others } = settings;
  const page = await start({
    settings: {
      version: '0.0.0',
      page: folder,
      center: undefined,
      mapping: undefined,
      ledger: join(folder, 'cardline.db'),
      samples: SAMPLES,
      readOnly: false,
      mask: false,
      env: {},
      ...others,
    },
    file,
    port: 0,
  });
  const { port, hash } = new URL(page.address);
  const token = hash.slice(1);
  const ask: PageBench['ask'] = (path, asking) => send(Number(port), path, asking);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= page.close());
  const json = { 'content-type': 'application/json' };
  const session = async (): Promise<string> => {
    const body = JSON.stringify({ token });
    const { text } = await ask('/api/session', { method: 'POST', headers: json, body });
    return (JSON.parse(text) as { session: string }).session;
  };
  const own = await session();
  const headers = { 'x-cardline-session': own };
  return {
    folder,
    port: Number(port),
    address: page.address,
    openingFile: page.openingFile,
    ask,
    session,
    api: async (name, body) => {
      const [method = '', path = ''] = name.split(' ');
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const typed = body === undefined ? headers : { ...headers, ...json };
      const { text } = await ask(path, { method, headers: typed, ...sent });
      return JSON.parse(text) as unknown;
    },
    upload: (list, body) =>
      ask(`/api/lists/${list}/file`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body,
      }),
    stop,
    close: async () => {
      await stop();
      // A browser that was closed a moment ago may have asked for something that is still being written.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function send(port: number, path: string, { method = 'GET', headers = {}, body }: Asking = {}) {
  return new Promise<Answered>((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => (text += more));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

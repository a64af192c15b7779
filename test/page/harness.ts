import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startPage } from '../../src/web/server/start.js';
import type { SiteSettings } from '../../src/web/server/settings.js';
import type { List } from '../../src/web/page/state/answers.js';
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
  api<T = unknown>(name: string, body?: unknown): Promise<T>;
  /** The events of a stream to its end. */
  events<T>(path: string): Promise<T[]>;
  upload(list: string, content: Buffer | string): Promise<Answered>;
  /** Uploads a file. @returns the id of its list */
  list(content: Buffer | string, name?: string): Promise<string>;
  /** Id of the list of the file on the command line. */
  opened(): Promise<string>;
  /** Takes a file with a ticket. */
  download(path: string): Promise<Answered>;
  /** Ends the server; what lies in the folder stays. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const SAMPLES = ['leads.csv', 'leads.xlsx', 'leads-1251.csv'].map((name) => ({
  name,
  path: join(root, 'samples', name),
  mapping: join(root, 'mappings', `${name.replace('.csv', '').replace('.', '-')}.yaml`),
}));

/** Each look at the columns reads all rows: the first of the leads, and those with a segment that is not allowed. */
const LEADS = readFileSync(join(root, 'samples/leads.csv'), 'utf8')
  .split(/\n(?=[\da-f]{8}-)/)
  .filter((row, at) => at <= 60 || row.includes(',lukewarm,'))
  .join('\n');

/** The server as it is built: threads of checks and imports are files of their own, which only that has. */
export const startBuiltPage = async (): Promise<typeof startPage> => {
  const built = new URL('../../dist/command/server.js', import.meta.url).href;
  return ((await import(built)) as { startPage: typeof startPage }).startPage;
};

/**
 * Serves the page in this process. `page`: folder of the built page. Default: one with a document alone. `demo`: with the
 * installation of the samples, in the folder of the bench.
 */
export async function openPageBench(
  settings: Partial<SiteSettings> & {
    readonly file?: string | undefined;
    readonly start?: typeof startPage;
    readonly demo?: boolean;
  } = {},
): Promise<PageBench> {
  const folder = await mkdtemp(join(tmpdir(), 'cardline-page-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>cardline</title>');
  const leads = join(folder, 'samples/leads.csv');
  await mkdir(dirname(leads));
  await writeFile(leads, `${LEADS}\n`);
  const { file, start = startPage, demo = false, ...others } = settings;
  const installation = join(folder, 'center.yaml');
  if (demo) await copyFile(join(root, 'mappings/installation.yaml'), installation);
  const page = await start({
    settings: {
      version: '0.0.0',
      page: folder,
      center: demo ? { name: 'demo', address: 'a:1', kind: 'local', installation } : undefined,
      mapping: undefined,
      ledger: join(folder, 'cardline.db'),
      samples: SAMPLES.map((one) => (one.name === 'leads.csv' ? { ...one, path: leads } : one)),
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
  const api = async <T>(name: string, body?: unknown): Promise<T> => {
    const [method = '', path = ''] = name.split(' ');
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const typed = body === undefined ? headers : { ...headers, ...json };
    const { text } = await ask(path, { method, headers: typed, ...sent });
    return JSON.parse(text) as T;
  };
  const upload: PageBench['upload'] = (list, body) =>
    ask(`/api/lists/${list}/file`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body,
    });
  return {
    folder,
    port: Number(port),
    address: page.address,
    openingFile: page.openingFile,
    ask,
    session,
    api,
    events: async (path) => {
      const { text } = await ask(path, { headers });
      // A stream that does not begin is answered as any other request.
      const data = text.startsWith('{') ? [text] : text.match(/(?<=^data: ).*$/gm);
      return (data ?? []).map((event) => JSON.parse(event) as never);
    },
    upload,
    list: async (content, name = 'leads.csv') => {
      const bytes = Buffer.byteLength(content);
      const { id } = await api<List>('POST /api/lists', { name, bytes });
      await upload(id, content);
      return id;
    },
    opened: async () => (await api<{ open: string }>('GET /api/about')).open,
    download: async (path) => {
      const { ticket } = await api<{ ticket: string }>('POST /api/tickets', { path });
      return ask(`${path}?ticket=${ticket}`);
    },
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
    // Of methods that seldom have a body, Node says no length.
    if (body !== undefined) request.setHeader('content-length', Buffer.byteLength(body));
    request.end(body);
  });
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as the recorder saw it. */
export interface Recorded {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Absent where there was none. */
  readonly body?: unknown;
}

/** A contact center that takes everything, or does what the test says, and keeps what it was asked. */
export interface Recorder {
  readonly url: string;
  readonly requests: Recorded[];
  /** Answers in place of the recorder when it gives true. */
  behave: (request: Recorded, response: ServerResponse) => boolean;
  close(): Promise<void>;
}

const LIST = /^\/api\/v1\/telemarketing\/campaigns\.do/;
export const CAMPAIGNS = [
  { id: 41, name: 'Summer leads' },
  { id: 42, name: 'Autumn leads' },
];

/** Whether a request only reads. */
export const isReading = ({ method, path }: Recorded): boolean =>
  method === 'GET' || path.endsWith('/by/syncIds.json');

export async function startRecorder(): Promise<Recorder> {
  const server = createServer((request, response) => void handle(request, response));
  const recorder: Recorder = {
    url: '',
    requests: [],
    behave: () => false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = String(await buffer(request));
    const recorded: Recorded = {
      method: request.method ?? '',
      path: request.url ?? '',
      ...(text !== '' && { body: JSON.parse(text) as unknown }),
    };
    recorder.requests.push(recorded);
    if (!recorder.behave(recorded, response)) answer(recorded, response);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(recorder, { url: `http://127.0.0.1:${port}` });
}

/** What the interface shows as the answer of success. */
function answer({ method, path, body }: Recorded, response: ServerResponse): void {
  const json = (status: number, value: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
  if (LIST.test(path)) json(200, CAMPAIGNS);
  else if (path.endsWith('/taskId.json')) json(200, { taskId: 4200 });
  else if (path.endsWith('/by/syncIds.json')) json(200, { clientFieldsToValues: { id: 1 } });
  else if (path.startsWith('/api/v1/tacs/byClient')) json(200, []);
  else if (path.startsWith('/api/v1/callbacks/')) json(200, body);
  else if (/^\/api\/v1\/tacs\/campaigns\/\d+\/exec\.do$/.test(path)) json(200, {});
  else if (method === 'POST' && /\d\/progress\.do$/.test(path))
    response.writeHead(201).end('Created');
  else if (method === 'POST' && path.startsWith('/api/v1/clients/exec.do'))
    json(201, { createResult: created(body) });
  else json(200, 'OK');
}

const created = (body: unknown) =>
  (body as { clients: { uuid: string }[] }).clients.map(({ uuid }, index) => ({
    uuid,
    result: 'Success',
    createdClientId: index + 1,
  }));

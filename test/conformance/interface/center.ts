import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Ended, printed, startCardline } from '../../kit/cardline.js';

/** Two identifiers, every field type, roles and a blacklist. */
export const twoIdentifiers = `
name: two identifiers
baseUrl: http://127.0.0.1:1
card:
  offerId: { type: Number, sync: true }
  offerDomain: { type: TextField, sync: true }
  fullName: { type: TextField, required: true }
  segment: { type: ComboBox, values: [cold, warm] }
  leadStatus: { type: StatusField, values: [new, open] }
  budget: { type: Number }
  note: { type: TextField }
clientRoles: [1, 2]
sandbox: { blacklist: ["79990000666"] }
`;

/** One identifier that is text, and nothing that restricts roles or phones. */
export const oneIdentifier = `
name: one identifier
baseUrl: http://127.0.0.1:1
card:
  contract: { type: TextField, sync: true }
  debt: { type: Number, required: true }
`;

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The parsed body, or its text where that is no JSON. */
  readonly body: unknown;
}

export interface Center {
  readonly url: string;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a signal and waits for the end. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<Ended>;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
};

export async function send(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: parsed(text) };
}

/** Starts the sandbox as a process of its own on a free port. */
export async function startCenter(folder: string, installation: string): Promise<Center> {
  const file = join(folder, 'installation.yaml');
  await writeFile(file, installation);
  const args = ['sandbox', '-i', file, '--port', '0', '--db', join(folder, 'center.db')];
  const running = startCardline(args);
  const [url] = await printed(running, /http:\/\/[\d.]+:\d+/);
  return {
    url,
    send: (method, path, body) =>
      send(url + path, method, body, body === undefined ? {} : undefined),
    end: (signal) => {
      running.child.kill(signal);
      return running.ended;
    },
  };
}

/** A folder for one test file, and one center in it for all of its tests. */
export function useCenter(installation = twoIdentifiers): Center {
  let folder: string;
  let center: Center;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardline-interface-'));
    center = await startCenter(folder, installation);
  });
  afterAll(async () => {
    await center.end('SIGTERM');
    await rm(folder, { recursive: true });
  });
  return {
    get url() {
      return center.url;
    },
    send: (...request) => center.send(...request),
    end: (signal) => center.end(signal),
  };
}

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** Matches any text that says something. */
export const someText = matching(/\S/);

/** Matches any number. */
export const aNumber: unknown = expect.any(Number);

/** Section 4: errors are 4xx answers in JSON that say what is wrong. */
export function expectRefusal(answer: Answer, message?: string | RegExp): void {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  expect(answer.status, answer.text).toBeLessThan(500);
  const expected = message instanceof RegExp ? matching(message) : (message ?? someText);
  expect(answer.body).toMatchObject({ errorMessage: expected });
}

/** Success where the interface shows no body beyond an acknowledgement. */
export function expectOk(answer: Answer): void {
  expect(answer.status, answer.text).toBe(200);
  expect(answer.text).not.toContain('errorMessage');
}

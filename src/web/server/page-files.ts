import { readFile, readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { STEPS } from '../shared/steps.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Addresses of the page: all of them are one document, which looks at its own address. */
const ADDRESSES = [
  '/',
  ...STEPS.map((step) => `/lists/:list/${step}`),
  '/history',
  '/history/:run',
  '/runs/:run',
];

/**
 * Serves the built page. It holds nothing of anybody, so that it needs no token.
 * @param refuse throws what answers a request for what is not there
 */
export async function addPageFiles(
  server: FastifyInstance,
  folder: string,
  refuse: () => never,
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => extname(name) in TYPES);
  for (const name of names) {
    const content = await readFile(join(folder, name));
    const type = TYPES[extname(name)] ?? '';
    const urls = name === 'index.html' ? ADDRESSES : [`/${name}`];
    for (const url of urls) server.get(url, (_request, reply) => reply.type(type).send(content));
    if (name !== 'index.html') continue;
    // Whoever has mistyped an address reads in words that nothing is there, with the way to the beginning.
    server.setNotFoundHandler(({ raw }, reply) =>
      isTyped(raw) ? reply.code(404).type(type).send(content) : refuse(),
    );
  }
}

/** Whether a browser asks for a document, and not the page for its data. */
const isTyped = ({ method, url = '', headers }: IncomingMessage): boolean =>
  method === 'GET' && headers['sec-fetch-dest'] === 'document' && !url.startsWith('/api/');

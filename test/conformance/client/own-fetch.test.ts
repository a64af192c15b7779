import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const BUILT = new URL('../../../dist/client/connection.js', import.meta.url).href;

it("Node's own fetch sends what it did once a proxy is asked for tunnels", async () => {
  const server = createServer((request, response) => {
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  try {
    const { port } = server.address() as AddressInfo;
    // In a process of its own: what is loaded first counts.
    const script = `
      const { undici } = await import(${JSON.stringify(BUILT)});
      undici.client();
      const headers = { 'content-length': '3' };
      const answer = await fetch('http://127.0.0.1:${port}/', { method: 'PUT', headers, body: 'abc' });
      console.log(answer.status);
    `;
    const args = ['--input-type=module', '--eval', script];
    expect((await promisify(execFile)(process.execPath, args)).stdout).toBe('200\n');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

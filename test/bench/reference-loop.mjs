import { Pool } from 'undici';
import { createBody, cutBatches } from '../../dist/delivery/batch.js';
import { openPreparation } from '../../dist/prepare/preparation.js';

/**
 * A bare undici loop that posts the bodies of an import, prepared beforehand. Prints the milliseconds that the posting
 * took, its processor seconds, and the clients posted.
 */
const [file, mapping, installation, port, concurrency, batchSize] = process.argv.slice(2);
const preparation = await openPreparation({
  inputs: [{ path: file, name: file }],
  mapping,
  installation,
  source: {},
  purpose: 'send',
  show: 0,
  share: { index: 0, of: 1 },
  verify: false,
});
const bodies = [];
let clients = 0;
for await (const chunk of preparation.chunks()) {
  const members = [...chunk.clients.at.keys()];
  clients += members.length;
  const limits = { clients: () => Number(batchSize), bytes: 1 << 20 };
  for (const batch of cutBatches(chunk.clients, members, limits))
    bodies.push(createBody(chunk.clients, batch));
}
const pool = new Pool(`http://127.0.0.1:${port}`, {
  connections: Number(concurrency),
  pipelining: 1,
});
let next = 0;
const worker = async () => {
  while (next < bodies.length) {
    const { body } = await pool.request({
      path: '/api/v1/clients/exec.do',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bodies[next++],
    });
    await body.json();
  }
};
const [began, usage] = [performance.now(), process.cpuUsage()];
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
const milliseconds = performance.now() - began;
const { user, system } = process.cpuUsage(usage);
console.log(JSON.stringify({ milliseconds, cpuSeconds: (user + system) / 1e6, clients }));
await pool.close();

import { Pool } from 'undici';
import { operations } from '../../dist/contract/operations.js';
import { createBody, cutBatches } from '../../dist/delivery/batch.js';
import { changeRuleOf, subjectOf } from '../../dist/delivery/rules.js';
import { openPreparation } from '../../dist/prepare/preparation.js';

/**
 * A bare undici loop that sends the requests of an import, prepared beforehand: `what` is how many clients a body has, the
 * mode of an import that changes clients, or `reconcile` for a comparison. Prints the milliseconds that it took, its
 * processor seconds, and the clients and requests sent.
 */
const [file, mapping, installation, port, concurrency, what] = process.argv.slice(2);
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
const batchSize = Number(what);
const rule =
  what === 'reconcile'
    ? { lookUp: true, steps: () => [] }
    : changeRuleOf(preparation.mapping.mode, {}, null);
const requests = [];
let clients = 0;
for await (const chunk of preparation.chunks()) {
  const members = [...chunk.clients.at.keys()];
  clients += members.length;
  if (batchSize > 0) {
    const limits = { clients: () => batchSize, bytes: 1 << 20 };
    for (const batch of cutBatches(chunk.clients, members, limits))
      requests.push(['addClients', createBody(chunk.clients, batch)]);
    continue;
  }
  for (const index of members) {
    const subject = subjectOf(chunk.clients, index);
    if (rule.lookUp)
      requests.push(['readClient', `{"clientSyncIdentifiers":${subject.identifiers}}`]);
    for (const { operation, body } of rule.steps(subject, {})) requests.push([operation, body]);
  }
}
const prepared = requests.map(([name, body]) => ({
  path: operations[name].path,
  method: operations[name].method,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
}));
const pool = new Pool(`http://127.0.0.1:${port}`, {
  connections: Number(concurrency),
  pipelining: 1,
});
let next = 0;
const worker = async () => {
  while (next < prepared.length) {
    const { body } = await pool.request(prepared[next++]);
    await body.json();
  }
};
const [began, usage] = [performance.now(), process.cpuUsage()];
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
const milliseconds = performance.now() - began;
const { user, system } = process.cpuUsage(usage);
const cpuSeconds = (user + system) / 1e6;
console.log(JSON.stringify({ milliseconds, cpuSeconds, clients, requests: prepared.length }));
await pool.close();

import { Pool } from 'undici';
import { openPreparation } from '../../dist/prepare/preparation.js';
import { operations } from '../../dist/contract/operations.js';
import { changeRuleOf } from '../../dist/delivery/rules.js';
import { subjectOf } from '../../dist/delivery/rules.js';

/**
 * A bare undici loop that sends the requests of an import that changes clients, or with `reconcile` those of a
 * comparison, prepared beforehand. Prints the milliseconds that it took and the requests sent.
 */
const [file, mapping, installation, port, concurrency, mode] = process.argv.slice(2);
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
const requests = [];
const rule =
  mode === 'reconcile'
    ? { lookUp: true, steps: () => [] }
    : changeRuleOf(preparation.mapping.mode, {}, null);
for await (const { clients } of preparation.chunks())
  for (const index of clients.at.keys()) {
    const subject = subjectOf(clients, index);
    if (rule.lookUp)
      requests.push(['readClient', `{"clientSyncIdentifiers":${subject.identifiers}}`]);
    for (const { operation, body } of rule.steps(subject, {})) requests.push([operation, body]);
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
const began = performance.now();
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
const milliseconds = performance.now() - began;
console.log(JSON.stringify({ milliseconds, requests: prepared.length }));
await pool.close();

/**
 * Measures a list that comes each night: `node test/bench/figures/delta.mjs [rows]`, after `npm run build`. Default: 1,000,000
 * rows. Of each night it tells what was sent, how long it took, and the memory; it fails where anything else was sent
 * than what has changed or had failed.
 */
import { closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN, runNode } from '../measure.mjs';

const rows = Number(process.argv[2] ?? 1_000_000);
const CHANGED = 100;
const FAILED = 50;
const folder = mkdtempSync(join(tmpdir(), 'cardline-delta-'));
const at = (name) => join(folder, name);

/** A contact center that has everybody, and refuses some of them for one night. */
const center = { sent: new Set(), requests: 0, refuses: new Set() };
let nextId = 1;

function answerTo({ method, url }, body) {
  center.requests++;
  if (url.startsWith('/api/v1/telemarketing/campaigns.do'))
    return url.includes('offset=0') || !url.includes('offset') ? [{ id: 42, name: 'Leads' }] : [];
  if (method === 'POST' && url === '/api/v1/clients/exec.do') {
    for (const { fields } of body.clients) center.sent.add(fields.offerId);
    return {
      createResult: body.clients.map(({ uuid }) => ({
        ...{ uuid, result: 'Success', createdClientId: nextId++ },
      })),
    };
  }
  if (url === '/api/v1/clients/by/syncIds.json') {
    const { offerId } = body.clientSyncIdentifiers;
    return { clientFieldsToValues: { offerId, fullName: 'before', id: offerId } };
  }
  if (method === 'PUT' && url === '/api/v1/clients/exec.do') {
    const { offerId } = body.syncIdentifiers;
    center.sent.add(offerId);
    if (center.refuses.has(offerId)) return { errorMessage: 'Field [comment] is too long.' };
    return 'OK';
  }
  return url.startsWith('/api/v1/clients') ? 'OK' : {};
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const answer = answerTo(request, JSON.parse(Buffer.concat(parts).toString() || 'null'));
    const text = JSON.stringify(answer);
    const status = answer.createResult ? 201 : answer.errorMessage ? 400 : 200;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  });
});

/** The list of a night: some rows have changed. */
function writeList(name, count, isChanged) {
  const file = openSync(at(name), 'w');
  let lines = ['Offer,Client,Mobile,Comment'];
  for (let row = 1; row <= count; row++) {
    const comment = isChanged(row) ? 'call after 18:00' : 'asked for a quote';
    lines.push(`${row},Client number ${row},+7916${String(row).padStart(7, '0')},${comment}`);
    if (lines.length < 50_000 && row < count) continue;
    writeSync(file, `${lines.join('\n')}\n`);
    lines = [];
  }
  closeSync(file);
}

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { offerId: Offer, fullName: Client, comment: Comment }
  phones: [{ column: Mobile, type: MOB }]
delta: { missing: dequeue }
`;

const installation = (port) => `name: figures
baseUrl: http://127.0.0.1:${port}
card:
  offerId: { type: Number, sync: true }
  fullName: { type: TextField, required: true }
  comment: { type: TextField }
`;

async function night(name, list, mode, expected) {
  center.sent.clear();
  center.requests = 0;
  const { code, seconds, megabytes, cpuSeconds, output } = await runNode(
    [
      ...[MAIN, 'import', at(list), '-m', at('list.yaml'), '-i', at('center.yaml'), '--mode', mode],
      ...['--campaign', '42', '--ledger', at('ledger.db'), '--out', at(`out-${name}`), '--json'],
    ],
    { expect: [0, 2, 64] },
  );
  const outcomes = code === 64 ? {} : JSON.parse(output).outcomes;
  const counted = Object.entries(outcomes).filter(([, count]) => count > 0);
  const told = counted.map(([outcome, count]) => `${outcome} ${count}`).join(', ');
  console.log(
    `${name}: code ${code}, ${told}; sent ${center.sent.size}, requests ${center.requests}, ` +
      `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor, ${megabytes.toFixed(0)} MB`,
  );
  if (center.sent.size !== expected) throw new Error(`${expected} were to be sent.`);
  return { code };
}

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
try {
  writeFileSync(at('list.yaml'), MAPPING);
  writeFileSync(at('center.yaml'), installation(server.address().port));
  // Spread over the list.
  const isChanged = (row) => row % Math.floor(rows / CHANGED) === 1;
  writeList('1.csv', rows, () => false);
  writeList('2.csv', rows, isChanged);
  writeList('3.csv', rows, isChanged);
  writeList('4.csv', Math.floor(rows / 2), isChanged);
  writeList('5.csv', rows, isChanged);
  await night('first list', '1.csv', 'create', rows);
  const changed = Array.from({ length: rows }, (_, at) => at + 1).filter(isChanged);
  center.refuses = new Set(changed.slice(0, FAILED));
  await night(`${changed.length} changed, ${FAILED} refused`, '2.csv', 'upsert', changed.length);
  center.refuses = new Set();
  await night('the same once more', '3.csv', 'upsert', FAILED);
  const { code } = await night('half a file', '4.csv', 'upsert', 0);
  if (code !== 64) throw new Error('Half a file was taken for a list.');
  await night('nothing has changed', '5.csv', 'upsert', 0);
  console.log(`ledger: ${(statSync(at('ledger.db')).size / 1024 ** 2).toFixed(0)} MB`);
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}

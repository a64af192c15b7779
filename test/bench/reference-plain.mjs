import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { parsePhoneNumberFromString } from 'libphonenumber-js';

/**
 * An import as people write it: csv-parse, fetch and a pool of promises. It keeps no ledger and writes no report.
 * Prints the milliseconds that it took and the clients sent.
 */
const [file, port, concurrency, batchSize] = process.argv.slice(2);
const address = `http://127.0.0.1:${port}/api/v1/clients/exec.do`;

const phone = (text) => parsePhoneNumberFromString(text, 'RU')?.number ?? text;
const day = (text) => text.split('.').reverse().join('-');

function clientOf(row) {
  return {
    uuid: randomUUID(),
    clientRoleId: 1,
    type: row['Tier'] === 'Gold' ? 'VIP' : 'SIMPLE',
    timeZone: row['TZ'] || 'Europe/Moscow',
    fields: {
      offerId: Number(row['Offer ID']),
      offerDomain: row['Offer domain'],
      fullName: [row['First name'], row['Last name']].filter(Boolean).join(' '),
      segment: row['Segment'].trim().toLowerCase(),
      city: row['City'],
      signedOn: day(row['Signed on']),
      comment: row['Comment'].trim().replaceAll(/\s+/g, ' '),
    },
    phones: [
      { phoneNumber: phone(row['Mobile']), type: 'MOB' },
      ...row['Other phones']
        .split(';')
        .filter(Boolean)
        .map((text) => ({ phoneNumber: phone(text), type: 'WORK' })),
    ],
    emails: row['E-mail'] ? [{ email: row['E-mail'] }] : [],
    addresses: row['Address'] ? [{ address: row['Address'], type: 'HOME' }] : [],
  };
}

async function send(clients) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clients }),
  });
  const { createResult } = await response.json();
  sent += createResult.filter(({ result }) => result === 'Success').length;
}

let sent = 0;
const began = performance.now();
const underWay = new Set();
let batch = [];

async function dispatch() {
  const request = send(batch).finally(() => underWay.delete(request));
  underWay.add(request);
  batch = [];
  if (underWay.size >= Number(concurrency)) await Promise.race(underWay);
}

for await (const row of createReadStream(file).pipe(parse({ columns: true, bom: true }))) {
  batch.push(clientOf(row));
  if (batch.length === Number(batchSize)) await dispatch();
}
if (batch.length > 0) await dispatch();
await Promise.all(underWay);
console.log(JSON.stringify({ milliseconds: performance.now() - began, clients: sent }));

import { createServer } from 'node:http';

/**
 * A contact center that accepts everything, in a process of its own. Prints its port when it listens. With `remember`
 * it keeps the fields of the clients that it creates, and shows them.
 */
const remembers = process.argv.includes('remember');
const cards = new Map();
let nextId = 1;

const CARD = {
  clientFieldsToValues: {
    ...{ offerId: 1, offerDomain: 'shop.example.com', fullName: 'Anna Ivanova', segment: 'cold' },
    ...{ city: 'Москва', signedOn: '2020-05-01', comment: null, id: 1, clientType: 'SIMPLE' },
    timeZone: 'Europe/Moscow',
  },
};

function answerTo({ method, url }, body) {
  if (url.startsWith('/api/v1/telemarketing/campaigns.do')) return [];
  if (method === 'POST' && url === '/api/v1/clients/exec.do') {
    if (remembers) for (const client of body.clients) keep(client);
    return {
      createResult: body.clients.map(({ uuid }) => ({
        ...{ uuid, result: 'Success', createdClientId: nextId++ },
      })),
    };
  }
  if (url === '/api/v1/clients/by/syncIds.json')
    return cards.get(keyOf(body.clientSyncIdentifiers)) ?? CARD;
  return url.startsWith('/api/v1/clients') ? 'OK' : {};
}

const keyOf = ({ offerId, offerDomain }) => `${offerId} ${offerDomain}`;

function keep({ fields, type, timeZone }) {
  const values = { ...fields, id: cards.size + 1, clientType: type, timeZone };
  cards.set(keyOf(values), { clientFieldsToValues: values });
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const answer = answerTo(request, JSON.parse(Buffer.concat(parts).toString() || 'null'));
    const text = JSON.stringify(answer);
    response.writeHead(answer.createResult ? 201 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('SIGTERM', () => process.exit(0));

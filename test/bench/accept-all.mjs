import { createServer } from 'node:http';

/** A contact center that accepts everything, in a process of its own. Prints its port when it listens. */
let nextId = 1;

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString());
    const created = request.url.startsWith('/api/v1/clients');
    const answer = created
      ? {
          createResult: body.clients.map(({ uuid }) => ({
            uuid,
            result: 'Success',
            createdClientId: nextId++,
          })),
        }
      : {};
    const text = JSON.stringify(answer);
    response.writeHead(created ? 201 : 200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('SIGTERM', () => process.exit(0));

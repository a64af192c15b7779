import { createServer } from 'node:http';

/**
 * A contact center with limits, in a process of its own: its work takes time, and only so much is done at once.
 * Takes its limits as JSON: `workers`, `queue` (further requests get a 503), `perRequest` and `perClient` in
 * milliseconds, `bearable` (with more in flight, work takes longer by the square), `refusals` (share of 503 at random),
 * `latency` in milliseconds there and back. Prints its port when it listens; SIGUSR2 makes it print what it counted.
 */
const limits = {
  ...{ workers: 8, queue: 16, perRequest: 40, perClient: 0.5, bearable: Infinity },
  ...{ refusals: 0, latency: 0 },
  ...JSON.parse(process.argv[2] ?? '{}'),
};

const waiting = [];
const counts = { requests: 0, refused: 0, most: 0, clients: 0, first: 0 };
let [there, working, nextId] = [0, 0, 1];
// The same refusals in every run.
let seed = 1;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;

function work(clients, answer) {
  working++;
  const over = there > limits.bearable ? (there / limits.bearable) ** 2 : 1;
  setTimeout(
    () => {
      working--;
      there--;
      answer();
      waiting.shift()?.();
    },
    (limits.perRequest + limits.perClient * clients.length) * over,
  );
}

function arrive(clients, respond) {
  counts.requests++;
  counts.first ||= Date.now();
  if (there >= limits.workers + limits.queue || random() < limits.refusals) {
    counts.refused++;
    respond(503, { errorMessage: 'The server is busy' });
    return;
  }
  there++;
  counts.most = Math.max(counts.most, there);
  const start = () =>
    work(clients, () => {
      counts.clients += clients.length;
      respond(201, {
        createResult: clients.map(({ uuid }) => ({
          ...{ uuid, result: 'Success', createdClientId: nextId++ },
        })),
      });
    });
  if (working < limits.workers) start();
  else waiting.push(start);
}

const server = createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const respond = (status, answer) => {
      const text = JSON.stringify(answer);
      const send = () => {
        response.writeHead(status, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        });
        response.end(text);
      };
      setTimeout(send, limits.latency / 2);
    };
    if (request.method === 'GET') {
      respond(200, []);
      return;
    }
    const { clients = [] } = JSON.parse(Buffer.concat(parts).toString());
    setTimeout(() => arrive(clients, respond), limits.latency / 2);
  });
});

server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('SIGUSR2', () => console.log(JSON.stringify(counts)));
process.on('SIGTERM', () => process.exit(0));

import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

export type Phase = 'request' | 'response';

/** Data that arrived at the proxy and has not been passed on yet. */
export interface Arrival {
  readonly phase: Phase;
  /** Which exchange it belongs to, from 1, over all connections. */
  readonly exchange: number;
  /** Request line of the exchange. */
  readonly line: string;
  /** Bytes of this phase that were passed before. */
  readonly passed: number;
  readonly data: Buffer;
}

/** A proxy between an importer, which makes one request at a time on a connection, and its contact center. */
export interface TcpProxy {
  readonly url: string;
  /** Exchanges that have begun. */
  readonly exchanges: () => number;
  /** Where connections go to. */
  target: number;
  /** Told of everything before it is passed on; a promise holds it up. */
  watch: (arrival: Arrival) => void | Promise<void>;
  close(): Promise<void>;
}

interface Exchange {
  readonly number: number;
  readonly line: string;
  readonly passed: Record<Phase, number>;
}

/** Starts a proxy on a free port that passes everything on to port `target` of this machine. */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let exchanges = 0;
  const sockets = new Set<Socket>();

  const serve = (client: Socket): void => {
    const server = connect(proxy.target, '127.0.0.1');
    const pair = { request: { from: client, to: server }, response: { from: server, to: client } };
    let current: Exchange | undefined;
    let answering = true;

    /** Everything goes through one queue, so that nothing overtakes. */
    let queue = Promise.resolve();
    const enqueue = (task: () => unknown): void => {
      queue = queue.then(async () => {
        await task();
      });
    };
    const handle = async (phase: Phase, data: Buffer): Promise<void> => {
      if (phase === 'request' && answering) {
        const line = data.subarray(0, Math.max(0, data.indexOf('\r\n'))).toString('latin1');
        current = { number: ++exchanges, line, passed: { request: 0, response: 0 } };
      }
      answering = phase === 'response';
      if (current) await pass(current, phase, data);
    };
    const pass = async (exchange: Exchange, phase: Phase, data: Buffer): Promise<void> => {
      const { number, line, passed } = exchange;
      await proxy.watch({ phase, exchange: number, line, passed: passed[phase], data });
      passed[phase] += data.length;
      await write(pair[phase].to, data);
    };

    for (const phase of ['request', 'response'] as const) {
      const { from, to } = pair[phase];
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (data: Buffer) => {
        from.pause();
        enqueue(async () => {
          await handle(phase, data);
          from.resume();
        });
      });
      from.on('end', () => enqueue(() => to.end()));
      // A broken side breaks the other one; what it broke of is seen there.
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroySoon();
      });
    }
  };

  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: TcpProxy = {
    url: `http://127.0.0.1:${port}`,
    exchanges: () => exchanges,
    target,
    watch: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}

/** Resolves when the operating system has the data; data for a closed side is lost, as on a wire. */
function write(to: Socket, data: Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (to.destroyed || data.length === 0) resolve();
    else to.write(data, () => resolve());
  });
}

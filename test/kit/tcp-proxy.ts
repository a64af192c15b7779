import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Phase = 'request' | 'response';

/** What a proxy does to one phase of one exchange, once `after` bytes of it have passed. */
export interface Fault {
  readonly phase: Phase;
  /** @default 0 */
  readonly after?: number;
  readonly what:
    /** Wait for half a second, then go on. */
    | 'delay'
    /** Close both sides in good order. */
    | 'cut'
    /** Reset both sides. */
    | 'reset'
    /** Keep the connection and pass nothing any more. */
    | 'silence'
    /** Pass pieces of 64 bytes, each in a packet of its own. */
    | 'slice'
    /** Pass 2 KiB each 5 ms. */
    | 'throttle';
}

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
  /** Decides about an exchange when its first byte arrives. */
  behave: (exchange: number, line: string) => Fault | undefined;
  /** Told of everything before it is passed on; a promise holds it up. */
  watch: (arrival: Arrival) => void | Promise<void>;
  close(): Promise<void>;
}

interface Exchange {
  readonly number: number;
  readonly line: string;
  readonly fault: Fault | undefined;
  readonly passed: Record<Phase, number>;
}

const DELAY_MS = 500;
const SLICE_BYTES = 64;
const THROTTLE = { bytes: 2048, ms: 5 };

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
        const number = ++exchanges;
        const fault = proxy.behave(number, line);
        current = { number, line, fault, passed: { request: 0, response: 0 } };
      }
      answering = phase === 'response';
      if (current) await pass(current, phase, data);
    };
    const pass = async (exchange: Exchange, phase: Phase, data: Buffer): Promise<void> => {
      const { number, line, fault, passed } = exchange;
      await proxy.watch({ phase, exchange: number, line, passed: passed[phase], data });
      const { to } = pair[phase];
      const until = fault?.phase === phase ? (fault.after ?? 0) - passed[phase] : Infinity;
      passed[phase] += data.length;
      if (until > data.length || !fault) return write(to, data);
      if (until >= 0) {
        await write(to, data.subarray(0, until));
        await strike(fault, to, data.subarray(until));
      } else await goOn(fault, to, data);
    };
    const strike = async (fault: Fault, to: Socket, rest: Buffer): Promise<void> => {
      if (fault.what === 'cut') for (const socket of [client, server]) socket.destroySoon();
      else if (fault.what === 'reset')
        for (const socket of [client, server]) socket.resetAndDestroy();
      else {
        if (fault.what === 'delay') await sleep(DELAY_MS);
        await goOn(fault, to, rest);
      }
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
    behave: () => undefined,
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

/** Passes the rest of a phase in the way of its fault. */
async function goOn({ what }: Fault, to: Socket, data: Buffer): Promise<void> {
  if (what === 'silence') return;
  if (what !== 'slice' && what !== 'throttle') return write(to, data);
  const bytes = what === 'slice' ? SLICE_BYTES : THROTTLE.bytes;
  for (let from = 0; from < data.length; from += bytes) {
    await write(to, data.subarray(from, from + bytes));
    await (what === 'slice' ? new Promise((resolve) => setImmediate(resolve)) : sleep(THROTTLE.ms));
  }
}

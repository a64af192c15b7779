import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** The way to a server of this machine, which can be cut: nothing gets through then, and nobody learns of it. */
export interface Cable {
  readonly port: number;
  isCut: boolean;
  /** Whether what the server answers is held up; what it is asked gets through. */
  holdsAnswers: boolean;
  close(): Promise<void>;
}

export async function startCable(target: number): Promise<Cable> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let [isCut, holdsAnswers] = [false, false];
  const settle = ([client, far]: readonly [Socket, Socket]): void => {
    if (isCut) client.pause();
    else client.resume();
    if (isCut || holdsAnswers) far.pause();
    else far.resume();
  };
  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (data) => {
      to.write(data);
    });
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
  };
  const server = createServer((client) => {
    const far = connect(target, '127.0.0.1');
    const pair = [client, far] as const;
    pairs.add(pair);
    client.on('close', () => pairs.delete(pair));
    pass(client, far);
    pass(far, client);
    if (isCut || holdsAnswers) settle(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get isCut() {
      return isCut;
    },
    set isCut(cut) {
      isCut = cut;
      for (const pair of pairs) settle(pair);
    },
    get holdsAnswers() {
      return holdsAnswers;
    },
    set holdsAnswers(holds) {
      holdsAnswers = holds;
      for (const pair of pairs) settle(pair);
    },
    close: async () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

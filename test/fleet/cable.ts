import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** The way to a server of this machine, which can be cut: nothing gets through then, and nobody learns of it. */
export interface Cable {
  readonly port: number;
  isCut: boolean;
  close(): Promise<void>;
}

export async function startCable(target: number): Promise<Cable> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
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
    if (isCut) for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get isCut() {
      return isCut;
    },
    set isCut(cut) {
      isCut = cut;
      for (const pair of pairs)
        for (const socket of pair) {
          if (cut) socket.pause();
          else socket.resume();
        }
    },
    close: async () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

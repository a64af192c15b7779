import { afterAll, beforeAll, describe } from 'vitest';
import {
  POSTGRES,
  type PostgresServer,
  type SharedPostgres,
  startOwnPostgres,
  startPostgres,
  WITHOUT,
} from './postgres.js';

/** Tests that need the server that all share; they are left out where there can be none. */
export const withPostgres = (name: string, tests: (server: SharedPostgres) => void): void =>
  withServer(name, startPostgres, tests);

/** Tests that stop their server, or change it for everybody. */
export const withOwnPostgres = (name: string, tests: (server: PostgresServer) => void): void =>
  withServer(name, () => startOwnPostgres(), tests);

function withServer<Server extends SharedPostgres>(
  name: string,
  start: () => Promise<Server>,
  tests: (server: Server) => void,
): void {
  describe.skipIf(POSTGRES === undefined)(name + WITHOUT, () => {
    let server: Server;
    beforeAll(async () => {
      server = await start();
    }, 60_000);
    afterAll(() => server.remove(), 60_000);
    tests(new Proxy({} as Server, { get: (_, key) => Reflect.get(server, key) as unknown }));
  });
}

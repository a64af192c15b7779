import { createRequire } from 'node:module';
import type { buildConnector, Client, Pool } from 'undici';

const load = createRequire(import.meta.url);

/** Loads what sends requests, for whoever has the time now and will not have it later. */
export function warmTransport(): void {
  undici.pool();
  // Its reader of answers, which it would load with the first request.
  load('undici/lib/llhttp/llhttp_simd-wasm.js');
}

/** The parts of undici that send requests, each loaded when it is needed. */
export const undici = {
  // The main module loads fetch, caches, web sockets and more: three quarters of its time, for nothing here.
  pool: () => load('undici/lib/dispatcher/pool.js') as typeof Pool,
  // A proxy is asked for a tunnel by what the main module adds to clients.
  client: () => {
    // Who is loaded first sets what Node's own `fetch` sends with, and this one refuses lengths that others give there.
    Reflect.get(globalThis, 'Headers');
    return (load('undici') as { readonly Client: typeof Client }).Client;
  },
  connector: () => load('undici/lib/core/connect.js') as typeof buildConnector,
};

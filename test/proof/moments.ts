import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival, TcpProxy } from '../kit/tcp-proxy.js';
import { isFull } from './harness.js';

export const CREATE = /^POST \/api\/v1\/clients\/exec\.do/;
export const ENQUEUE = /^POST \/api\/v1\/tacs\/campaigns\//;
export const CAMPAIGNS = /^GET \/api\/v1\/telemarketing\//;

/** Resolves when the proxy has data that `wanted` accepts, before or after it is passed on. */
export function arrives(
  proxy: TcpProxy,
  wanted: (arrival: Arrival) => boolean,
  holdUp: boolean,
): Promise<void> {
  return new Promise((resolve) => {
    proxy.watch = async (arrival) => {
      if (!wanted(arrival)) return;
      proxy.watch = () => undefined;
      resolve();
      // What is held up arrives after the kill, if at all.
      if (holdUp) await sleep(300);
    };
  });
}

/** The k-th request or answer of an operation, from 1, when its first bytes arrive. */
export function nth(
  line: RegExp,
  phase: Arrival['phase'],
  k: number,
): (arrival: Arrival) => boolean {
  const seen = new Set<number>();
  return (arrival) => {
    if (arrival.phase !== phase || !line.test(arrival.line)) return false;
    seen.add(arrival.exchange);
    return seen.size === k;
  };
}

/** Answers come late, so that an import lasts longer than all the kills that are to fall into it. */
export function slowDown(proxy: TcpProxy): void {
  proxy.watch = ({ phase, passed }) =>
    phase === 'response' && passed === 0 ? sleep(isFull ? 400 : 100) : undefined;
}

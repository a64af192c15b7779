/** What requests of one kind take with little load, as a line: so much for the request, so much for each client. */
export interface Cost {
  readonly perRequest: number;
  readonly perClient: number;
}

/** Sums that the line of least squares is made of. */
interface Sums {
  readonly count: number;
  readonly clients: number;
  readonly time: number;
  readonly clientsSquared: number;
  readonly clientsTime: number;
}

/** Time of answers in milliseconds by kind of request. Immutable. */
export type Costs = ReadonlyMap<string, Sums>;

export const NO_COSTS: Costs = new Map();
/** Answers of a kind before its cost is known. */
const KNOWN_FROM = 4;
const NONE: Sums = { count: 0, clients: 0, time: 0, clientsSquared: 0, clientsTime: 0 };

export function withAnswer(
  costs: Costs,
  kind: string,
  clients: number,
  milliseconds: number,
): Costs {
  const sums = costs.get(kind) ?? NONE;
  return new Map(costs).set(kind, {
    count: sums.count + 1,
    clients: sums.clients + clients,
    time: sums.time + milliseconds,
    clientsSquared: sums.clientsSquared + clients * clients,
    clientsTime: sums.clientsTime + clients * milliseconds,
  });
}

/** Answers of a kind that have been learned from. */
export function answersOf(costs: Costs, kind: string): number {
  return costs.get(kind)?.count ?? 0;
}

export function isKnown(costs: Costs, kind: string): boolean {
  return answersOf(costs, kind) >= KNOWN_FROM;
}

/** The line through the answers of a kind, neither part below 0; `null` while it is not known. */
export function costOf(costs: Costs, kind: string): Cost | null {
  const sums = costs.get(kind);
  if (!sums || sums.count < KNOWN_FROM) return null;
  const { count, clients, time, clientsSquared, clientsTime } = sums;
  const spread = count * clientsSquared - clients * clients;
  // All of one size: what of it is the request's own is not known.
  if (spread === 0) return { perRequest: time / count, perClient: 0 };
  const perClient = (count * clientsTime - clients * time) / spread;
  if (perClient <= 0) return { perRequest: time / count, perClient: 0 };
  const perRequest = (time - perClient * clients) / count;
  return perRequest < 0 ? { perRequest: 0, perClient: time / clients } : { perRequest, perClient };
}

/** Whether answers of a kind were of several sizes, so that both parts of its cost can be known. */
export function isOfSeveralSizes(costs: Costs, kind: string): boolean {
  const sums = costs.get(kind);
  return sums !== undefined && sums.count * sums.clientsSquared > sums.clients * sums.clients;
}

/** What such a request takes with little load, in milliseconds. */
export function timeOf({ perRequest, perClient }: Cost, clients: number): number {
  return perRequest + perClient * clients;
}

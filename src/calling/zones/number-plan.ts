/** A range of numbers and the zone in which they are: E.164 without the plus, both ends included. */
export interface PlanRange {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

/** Where numbers were given out, by a list of ranges: more exact than first digits. */
export interface NumberPlan {
  /** The zone of a number; `null` where no range has it, or ranges with several zones. */
  zoneOf(number: number): string | null;
}

/** A plan of ranges in any order. Where ranges with different zones overlap, neither says anything. */
export function numberPlan(ranges: readonly PlanRange[]): NumberPlan {
  const edges = [...new Set(ranges.flatMap(({ from, to }) => [from, to + 1]))].sort(
    (a, b) => a - b,
  );
  const zones = zonesBetween(edges, ranges);
  const begins = Float64Array.from(edges);
  return {
    zoneOf: (number) => {
      let [low, high] = [0, begins.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((begins[middle] ?? Infinity) <= number) low = middle + 1;
        else high = middle;
      }
      return zones[low - 1] ?? null;
    },
  };
}

/** The zone from each edge to the next; `null` where there is none, or several. */
function zonesBetween(edges: readonly number[], ranges: readonly PlanRange[]): (string | null)[] {
  const begun = grouped(ranges, ({ from }) => from);
  const ended = grouped(ranges, ({ to }) => to + 1);
  const open = new Map<string, number>();
  const change = (zone: string, by: number): void => {
    const count = (open.get(zone) ?? 0) + by;
    if (count === 0) open.delete(zone);
    else open.set(zone, count);
  };
  return edges.map((edge) => {
    for (const { zone } of ended.get(edge) ?? []) change(zone, -1);
    for (const { zone } of begun.get(edge) ?? []) change(zone, 1);
    const [only, second] = open.keys();
    return second === undefined ? (only ?? null) : null;
  });
}

function grouped(
  ranges: readonly PlanRange[],
  edge: (range: PlanRange) => number,
): Map<number, PlanRange[]> {
  const groups = new Map<number, PlanRange[]>();
  for (const range of ranges) {
    const group = groups.get(edge(range));
    if (group) group.push(range);
    else groups.set(edge(range), [range]);
  }
  return groups;
}

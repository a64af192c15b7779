import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { RunRecord } from '../core/ledger.js';
import { Timeline, type TimelinePoint } from '../report/timeline.js';

const answer = z.object({
  run: z.string(),
  time: z.iso.datetime(),
  milliseconds: z.number(),
  status: z.number(),
});

/** What a run's log tells of its answers over time; `null` when there is no log, or no answer in it. */
export async function runTimeline({ run, out }: RunRecord): Promise<TimelinePoint[] | null> {
  const file = join(out, 'run.log');
  if (!existsSync(file)) return null;
  let timeline: Timeline | undefined;
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  })) {
    const event = line.includes('"msg":"answer"') ? answer.safeParse(parsed(line)).data : undefined;
    if (event?.run !== run) continue;
    const at = Date.parse(event.time);
    timeline ??= new Timeline(at - event.milliseconds);
    timeline.add({ at, milliseconds: event.milliseconds, status: event.status });
  }
  return timeline?.points() ?? null;
}

/** A line that a crash cut short is none. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { RunRecord } from '../../core/ledger.js';
import { openRegularFile } from '../../files/regular-file.js';
import { type RunTimeline, Timeline } from '../../report/timeline.js';

const line = { run: z.string(), time: z.iso.datetime() };
const answers = z.object({
  ...line,
  msg: z.literal('answers'),
  status: z.number(),
  answers: z.number(),
  milliseconds: z.number(),
  longest: z.number(),
  within: z.number(),
});
const limits = z.object({
  ...line,
  msg: z.literal('limits'),
  concurrency: z.number(),
  batchSize: z.number(),
  reason: z.string(),
});
const event = z.discriminatedUnion('msg', [answers, limits]);
const OF_INTEREST = /"msg":"(?:answers|limits)"/;

/** The answers of a run over time, from its log; `null` when there is no log, or no answer in it. */
export async function runTimeline({ run, out }: RunRecord): Promise<RunTimeline | null> {
  const file = join(out, 'run.log');
  // Without a log that can be read, the report is written without what only the log knows.
  const handle = await openRegularFile(file).catch(() => null);
  if (!handle) return null;
  let timeline: Timeline | undefined;
  for await (const text of createInterface({
    input: handle.createReadStream(),
    crlfDelay: Infinity,
  })) {
    const read = OF_INTEREST.test(text) ? event.safeParse(parsed(text)).data : undefined;
    if (read?.run !== run) continue;
    const at = Date.parse(read.time);
    if (read.msg === 'answers') {
      timeline ??= new Timeline(at - read.within - read.longest);
      timeline.addSeveral({ ...read, at });
    } else timeline?.addChange({ ...read, at });
  }
  return timeline?.result() ?? null;
}

/** A line that a crash cut short is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

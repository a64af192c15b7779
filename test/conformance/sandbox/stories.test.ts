import { describe, expect, it } from 'vitest';
import { tablesIn } from '../../kit/tables.js';
import { client, refusal, startWorld, type World } from './world.js';

/** A verb with its arguments, and what comes of it. */
interface Step extends Readonly<Record<string, unknown>> {
  readonly gives?: object;
  readonly refuses?: string;
  /** What stands beside the clients of `add`. */
  readonly with?: object;
}
type Story = readonly [what: string, ...steps: Step[]];
type Verbs = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

const STORIES = tablesIn(import.meta.dirname, 'stories.yaml') as Record<string, readonly Story[]>;

async function take(world: World, step: Step): Promise<void> {
  const { gives, refuses, with: more, ...rest } = step;
  const [verb = '', args] = Object.entries(rest)[0] ?? [];
  const given = args as Parameters<typeof client>[];
  const owner = (verb in world ? world : world.center) as unknown as Verbs;
  const done =
    verb === 'add'
      ? world.add(
          given.map((one) => client(...one)),
          more,
        )
      : owner[verb]!.call(owner, ...given);
  if (refuses !== undefined) expect(await refusal(done), verb).toBe(refuses);
  else if (gives) expect(await done, JSON.stringify(rest)).toMatchObject(gives);
  else await done;
}

describe.each(Object.entries(STORIES))('%s', (_subject, stories) => {
  for (const [what, ...steps] of stories)
    it(what, async () => {
      const world = await startWorld();
      for (const step of steps) await take(world, step);
    });
});

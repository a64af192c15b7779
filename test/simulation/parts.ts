import fc from 'fast-check';
import { simulateStory } from './around/simulate.js';
import { stories } from './around/story.js';
import { simulateNights } from './delta/simulate.js';
import { nightsOfLists } from './delta/story.js';
import { simulateFleet } from './machines/fleet.js';
import { sharedRuns, takeovers } from './machines/story.js';
import { simulateTakeover } from './machines/takeover.js';
import { scenarios } from './scenario.js';
import { simulate } from './simulate.js';
import type { Counts, Tale } from './world.js';

/** Stories of one kind, and how they are lived. */
export interface Part<Story, Sabotage> {
  readonly stories: fc.Arbitrary<Story>;
  readonly simulate: (story: Story, sabotage?: Sabotage) => Promise<Tale>;
}

const part = <Story, Sabotage>(
  stories: fc.Arbitrary<Story>,
  simulate: Part<Story, Sabotage>['simulate'],
): Part<Story, Sabotage> => ({ stories, simulate });

/** What is simulated. */
export const PARTS = {
  /** One import. */
  runs: part(scenarios, simulate),
  /** What happens around runs. */
  around: part(stories, simulateStory),
  /** Nights in which one list follows the other. */
  delta: part(nightsOfLists, simulateNights),
  /** An import that several machines begin. */
  takeover: part(takeovers, simulateTakeover),
  /** An import that machines share. */
  fleet: part(sharedRuns, simulateFleet),
};

/** What goes wrong with the stories of a seed: so many of them, by default one; `null`: nothing. */
export async function failureOf<Story, Sabotage>(
  { stories, simulate }: Part<Story, Sabotage>,
  seed: number,
  {
    sabotage,
    numRuns = 1,
    shrinks = false,
    counts,
  }: { sabotage?: Sabotage; numRuns?: number; shrinks?: boolean; counts?: Counts } = {},
): Promise<string | null> {
  const property = fc.asyncProperty(stories, async (story) => {
    const tale = await simulate(story, sabotage);
    counts?.addAll(tale.counts);
  });
  const result = await fc.check(property, { seed, numRuns, endOnFailure: !shrinks });
  if (!result.failed) return null;
  const error = result.errorInstance;
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${why}\nSIM_SEED=${seed} replays it:\n${fc.defaultReportMessage(result) ?? ''}`;
}

import fc from 'fast-check';

/** Whether something goes wrong with the stories of a seed: so many of them, by default one. */
export async function goesWrong<Story>(
  stories: fc.Arbitrary<Story>,
  simulate: (story: Story) => Promise<unknown>,
  seed: number,
  numRuns = 1,
): Promise<boolean> {
  const property = fc.asyncProperty(stories, async (story) => {
    await simulate(story);
  });
  return (await fc.check(property, { seed, numRuns, endOnFailure: true })).failed;
}

/**
 * Whether a simulation finds something wrong with one of so many stories. A seed that has found it is tried first, which
 * saves the search for as long as stories stay as they are.
 */
export const isFoundOut = async <Story>(
  stories: fc.Arbitrary<Story>,
  simulate: (story: Story) => Promise<unknown>,
  { known, most }: { readonly known: number; readonly most: number },
): Promise<boolean> =>
  (await goesWrong(stories, simulate, known)) || goesWrong(stories, simulate, 1, most);

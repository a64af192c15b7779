import { checkEnd } from './invariants.js';
import { LONGEST_MS, liveOnce } from './process.js';
import type { Scenario } from './scenario.js';
import { type Sabotage, type Tale, type World, createWorld } from './world.js';

const MOST_LIVES = 60;
/**
 * Runs an import from its first process to its end: processes crash and stop, and are started again, until every row
 * has ended. The same scenario gives the same tale.
 * @throws Error that names what must not have been.
 */
export async function simulate(scenario: Scenario, sabotage: Sabotage = {}): Promise<Tale> {
  const world = createWorld(scenario, sabotage);
  const { counts, timeline, violations } = world;
  while (!(await liveOnce(world))) {
    if (violations.length > 0) break;
    if (counts.lives >= MOST_LIVES) violations.push('the run is continued for ever');
    if (timeline.now() > LONGEST_MS) violations.push('the run takes for ever');
  }
  const tale = taleOf(world);
  // What is on its way still comes: the report has to be right after that too.
  timeline.pass(scenario.serverDeadlineMs);
  if (violations.length === 0) violations.push(...checkEnd(scenario, world.input, tale));
  if (violations.length > 0) throw new Error(violations.slice(0, 5).join('\n'));
  return tale;
}

function taleOf({ disk, books, network, counts, timeline, scenario }: World): Tale {
  const rows = disk.rows(scenario.campaign !== 'none');
  return { rows, books, network, disk, counts, virtualMs: timeline.now() };
}

import type { Command } from '../command.js';
import { lazyGroup } from '../group.js';
import type { Group } from './action.js';

/**
 * Declares a group. The options come from the contract, which takes time to load: that is done when the command line
 * names the group.
 */
export function operationGroup(group: Group): Command {
  return lazyGroup(group, async () => {
    const { loadGroup } = await import('./load-group.js');
    return loadGroup(group);
  });
}

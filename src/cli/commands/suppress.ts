import { lazyGroup } from '../group.js';

/** Lists of numbers that must not be called. */
export const suppressCommand = lazyGroup(
  { name: 'suppress', describe: 'Numbers that must not be called: change a list, ask for one.' },
  async () => {
    const { suppressGroup } = await import('../suppress/group.js');
    return suppressGroup;
  },
);

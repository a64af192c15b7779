import { lazyGroup } from '../../group.js';

/** What a watcher tells people. */
export const notifyCommand = lazyGroup(
  { name: 'notify', describe: 'Notices of "cardline watch".' },
  async () => {
    const { notifyGroup } = await import('./group.js');
    return notifyGroup;
  },
);

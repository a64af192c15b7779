import { lazyGroup } from '../../group.js';

/** What starts a watcher by itself. */
export const scheduleCommand = lazyGroup(
  { name: 'schedule', describe: 'Have files imported by the clock.' },
  async () => {
    const { scheduleGroup } = await import('./group.js');
    return scheduleGroup;
  },
);

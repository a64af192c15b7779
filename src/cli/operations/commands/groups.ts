import { operationGroup } from '../group.js';

export const groupsCommand = operationGroup({
  name: 'groups',
  describe: 'Agent groups: assign the task of a campaign.',
  actions: {
    assign: {
      operation: 'assignTask',
      positional: ['groupId', 'group'],
      flags: { taskPriority: 'priority', userSelectionMode: 'mode' },
      examples: [
        [
          '7 --campaign 42 --priority 10 --mode BY_ROUND --preview-timeout 20',
          'The task of a campaign.',
        ],
      ],
    },
  },
});

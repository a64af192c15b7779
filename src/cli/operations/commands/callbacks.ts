import { operationGroup } from '../group.js';

export const callbacksCommand = operationGroup({
  name: 'callbacks',
  describe: 'TM callbacks: create one for a client of a campaign.',
  actions: {
    create: {
      operation: 'createCallback',
      examples: [
        [
          '--campaign 42 --id offerId=7 --phone 79161234567 --operator-id 5 --name "Call back" --description "Asked for a call" --call-at 2026-12-01T10:00:00+03:00 --call-automatically',
          'Everything on the command line.',
        ],
        ['--data callback.yaml', 'From a file.'],
      ],
    },
  },
});

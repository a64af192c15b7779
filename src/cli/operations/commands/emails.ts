import { operationGroup } from '../group.js';

export const emailsCommand = operationGroup({
  name: 'emails',
  describe: 'E-mail addresses of a client card: add one, or set its status.',
  actions: {
    add: {
      operation: 'addEmail',
      examples: [['--id offerId=7 --email-address ann@example.com', 'Add one to a card.']],
    },
    set: {
      operation: 'setEmailStatus',
      examples: [
        [
          '--id offerId=7 --email-address ann@example.com --no-active',
          'It is not to be used any more.',
        ],
        ['--id offerId=7 --email-address ann@example.com --active', 'It is to be used again.'],
      ],
    },
  },
});

import { operationGroup } from '../group.js';

export const phonesCommand = operationGroup({
  name: 'phones',
  describe: 'Phones of a client card: add one, or set its status.',
  actions: {
    add: {
      operation: 'addPhone',
      examples: [['--id offerId=7 --phone-number 79161234567 --type MOB', 'Add one to a card.']],
    },
    set: {
      operation: 'setPhoneStatus',
      examples: [
        ['--id offerId=7 --phone-number 79161234567 --no-active', 'It is not to be used any more.'],
        ['--id offerId=7 --phone-number 79161234567 --active', 'It is to be used again.'],
      ],
    },
  },
});

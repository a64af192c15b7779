import { operationGroup } from '../group.js';

export const addressesCommand = operationGroup({
  name: 'addresses',
  describe: 'Addresses of a client card: add one, or set its status.',
  actions: {
    add: {
      operation: 'addAddress',
      examples: [
        ['--id offerId=7 --client-address "Elm street 1" --type HOME', 'Add one to a card.'],
      ],
    },
    set: {
      operation: 'setAddressStatus',
      examples: [
        [
          '--id offerId=7 --client-address "Elm street 1" --no-active',
          'It is not to be used any more.',
        ],
        ['--id offerId=7 --client-address "Elm street 1" --active', 'It is to be used again.'],
      ],
    },
  },
});

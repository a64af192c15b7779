import { operationGroup } from '../group.js';

export const applicationsCommand = operationGroup({
  name: 'applications',
  describe: 'Call applications of clients in campaigns.',
  actions: {
    add: {
      operation: 'addApplications',
      examples: [
        ['--campaign 42 --id offerId=7 --id offerDomain=shop --max-call-count 3', 'One client.'],
        [
          '--campaign "Autumn leads" --data clients.json --max-call-count 3',
          'Several: a list of { "clientIdentifiers": { … } }.',
        ],
      ],
    },
    list: {
      operation: 'listApplications',
      examples: [['--id offerId=7 --id offerDomain=shop', 'In which campaigns is the client?']],
    },
    remove: {
      operation: 'removeApplication',
      asks: 'The call application is removed from the campaign.',
      examples: [
        ['--campaign 42 --id offerId=7 --cancel-callbacks', 'With the callbacks created on it.'],
        ['--campaign 42 --id offerId=7 --no-cancel-callbacks', 'The callbacks are kept.'],
      ],
    },
    'remove-by-filter': {
      operation: 'removeApplications',
      asks: 'Every call application of the campaign that the filters fit is removed.',
      examples: [
        ['--campaign 42 --where "application.status = FAILED"', 'What has failed.'],
        [
          '--campaign 42 --where "phones.phoneNumber LIKE 7999" --where "segment = cold" --dry-run',
          'Look at the request first.',
        ],
      ],
    },
  },
});

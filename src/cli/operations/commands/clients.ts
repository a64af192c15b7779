import { operationGroup } from '../group.js';

const CLIENT =
  '{"clientRoleId":1,"type":"SIMPLE","timeZone":"Europe/Moscow","fields":{"offerId":7},"phones":[{"phoneNumber":"79161234567","type":"MOB"}]}';

export const clientsCommand = operationGroup({
  name: 'clients',
  describe: 'Client cards, one operation at a time.',
  actions: {
    add: {
      operation: 'addClients',
      note: 'A client may leave out its uuid, which is made up, and addresses and emails, which it then has none of. How "recovery" is sent stands in the installation. For many clients there is "cardline import".',
      columns: ['uuid', 'result', 'createdClientId'],
      examples: [
        ['--data clients.json', 'A client, or a list of clients.'],
        [`--data '${CLIENT}'`, 'One, on the command line.'],
        ['--data - --recovery < clients.yaml', 'Bring deleted ones back.'],
      ],
    },
    get: {
      operation: 'readClient',
      examples: [['--id offerId=7 --id offerDomain=shop', 'Read a card.']],
    },
    update: {
      operation: 'changeClient',
      flags: { fieldsToUpdate: 'field' },
      examples: [['--id offerId=7 --field "fullName=Ann Lee" --field segment=cold', 'Change two.']],
    },
    rekey: {
      operation: 'changeSyncIdentifiers',
      positional: ['clientId', 'clientId'],
      asks: 'From then on the client is found by the new identifiers alone.',
      note: 'The internal id is the one that "clients get" shows as id. --id gives the new identifiers, all of them.',
      examples: [['1001 --id offerId=8 --id offerDomain=shop', 'New identifiers for a client.']],
    },
    delete: {
      operation: 'deleteClient',
      asks: 'The client is marked as deleted; its data can be restored.',
      examples: [['--id offerId=7 --id offerDomain=shop --yes', 'Delete without asking.']],
    },
  },
});

import { type Command, defineCommand, lazyGroup } from '../command.js';
import { checkCommand } from './files.js';
import { doctorCommand } from './setup.js';
import { fleetCommand, workerCommand } from './servers.js';
import { importCommand } from './sending.js';
import { initCommand } from './setup.js';
import { reportCommand } from './records.js';
import { reconcileCommand } from './sending.js';
import { rowsCommand } from './files.js';
import { runsCommand } from './records.js';
import { sandboxCommand } from './servers.js';
import { templateCommand } from './setup.js';
import { suggestCommand } from './files.js';
import { uiCommand } from './servers.js';
import { undoCommand } from './sending.js';
import { watchCommand } from './servers.js';
import { EXIT } from '../../core/errors.js';
import { printJson } from '../output/output.js';
import { PLACE_KINDS } from '../../options/places.js';
import { executeCommand, shownOptions } from '../execute-command.js';
import { ledgerInstallation, ledgerNamed, givenOptions, runFlags } from '../options/run-flags.js';
import type { Group } from '../operations/run-action.js';

/** What is done with a ledger as a whole. */
const ledgerCommand = lazyGroup(
  { name: 'ledger', describe: 'Make a ledger, or copy its runs into another one.' },
  async () => {
    const { ledgerGroup } = await import('./ledger.js');
    return ledgerGroup;
  },
);

/** What a watcher tells people. */
const notifyCommand = lazyGroup(
  { name: 'notify', describe: 'Send test notices of "cardline watch".' },
  async () => {
    const { notifyGroup } = await import('./notify.js');
    return notifyGroup;
  },
);

/** What starts a watcher by itself. */
const scheduleCommand = lazyGroup(
  { name: 'schedule', describe: 'Run imports on a schedule.' },
  async () => {
    const { scheduleGroup } = await import('./schedule.js');
    return scheduleGroup;
  },
);

/** Lists of numbers that must not be called. */
const suppressCommand = lazyGroup(
  { name: 'suppress', describe: 'Numbers that must not be called: change a list, ask for one.' },
  async () => {
    const { suppressGroup } = await import('./suppress.js');
    return suppressGroup;
  },
);

const demoCommand = defineCommand({
  usage: 'demo',
  describe: 'Import a sample into an embedded sandbox, to see how it works.',
  epilogue: `The sandbox, the ledger and the report lie in a new folder below runs/. The sample has bad rows on purpose; the demo ends with 0 nevertheless.`,
  options: {},
  examples: [['$0 demo', 'No server and no files are needed.']],
  build: (parser) => parser,
  async run(_args, terminal) {
    const { runDemo } = await import('../demo.js');
    return runDemo(terminal);
  },
});

const openapiCommand = defineCommand({
  usage: 'openapi',
  describe: "Print the contact center's interface as an OpenAPI 3.1 document.",
  options: {},
  examples: [['$0 openapi > openapi.json', 'Keep it for other tools.']],
  build: (parser) => parser,
  async run(_args, { stdout }) {
    const { openApiDocument } = await import('../../contract/openapi.js');
    await printJson(stdout, `${JSON.stringify(openApiDocument(), null, 2)}\n`);
    return EXIT.ok;
  },
});

const callbacksCommand = operationGroup({
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

const groupsCommand = operationGroup({
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

const phonesCommand = operationGroup({
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

const emailsCommand = operationGroup({
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

const addressesCommand = operationGroup({
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

const ofMapping = () => import('../../mapping/mapping.js');

const SCHEMAS: Readonly<Record<(typeof KINDS)[number], () => Promise<object>>> = {
  mapping: async () => (await ofMapping()).mappingJsonSchema(),
  installation: async () => (await ofMapping()).installationJsonSchema(),
  pickup: async () => (await import('../../nightly/pickup/schema.js')).pickupJsonSchema(),
};

const KINDS = ['mapping', 'installation', 'pickup'] as const;

const schemaCommand = defineCommand({
  usage: 'schema <kind>',
  describe: 'Print the JSON Schema of a mapping, installation or pickup file, for your editor.',
  options: {},
  examples: [
    ['$0 schema mapping > mapping.schema.json', 'Complete and check mappings as you write.'],
  ],
  build: (parser) =>
    parser.positional('kind', {
      choices: KINDS,
      demandOption: true,
      describe: 'Which kind of file.',
    }),
  async run({ kind }, { stdout }) {
    const schema = await SCHEMAS[kind]();
    await printJson(stdout, `${JSON.stringify(schema, null, 2)}\n`);
    return EXIT.ok;
  },
});

const options = { ...runFlags('resume'), ...shownOptions, ...ledgerInstallation } as const;

const resumeCommand = defineCommand({
  usage: 'resume [run]',
  describe: 'Continue an unfinished run.',
  epilogue:
    'What is on record is not sent again; what was under way when the run ended is looked up first. The input, the mapping, the installation and the campaign must be those that the run began with. The --max-failures and --canary of its last command hold on, unless others are named.',
  options,
  examples: [
    ['$0 resume', 'Go on with the latest run that is not finished.'],
    ['$0 resume 20261120-174500-1f3a', 'Go on with this one.'],
  ],
  places: PLACE_KINDS,
  build: (parser) =>
    parser
      .positional('run', {
        type: 'string',
        describe: 'Id of the run, as "cardline runs" lists it. Default: the latest unfinished.',
      })
      .options(options),
  async run(args, terminal) {
    const { resumption } = await import('../../run/resume.js');
    const given = givenOptions('resume', args);
    const ledger = await ledgerNamed({ ledger: given.ledger, installation: args.installation });
    const resumed = await resumption(ledger, args.run, given);
    return executeCommand(resumed, args, terminal);
  },
});

const applicationsCommand = operationGroup({
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

const CLIENT =
  '{"clientRoleId":1,"type":"SIMPLE","timeZone":"Europe/Moscow","fields":{"offerId":7},"phones":[{"phoneNumber":"79161234567","type":"MOB"}]}';

const clientsCommand = operationGroup({
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

const campaignsCommand = operationGroup({
  name: 'campaigns',
  describe: 'Telemarketing campaigns: create, list, start, stop, delete.',
  actions: {
    create: async () => (await import('../operations/create-campaign.js')).createCampaignCommand,
    list: {
      operation: 'listCampaigns',
      columns: ['id', 'name', 'typeProcessing', 'callingMode', 'startDate', 'endDate', 'endless'],
      note: 'All pages are asked for. JSON has every field.',
      examples: [
        ['', 'Every campaign.'],
        ['--limit 20 --json', 'Twenty, with all of their fields.'],
      ],
    },
    start: {
      operation: 'startCampaign',
      positional: ['campaignId', 'campaign'],
      examples: [['42', 'By its id.']],
    },
    stop: {
      operation: 'stopCampaign',
      positional: ['campaignId', 'campaign'],
      asks: "Dialing of the campaign's call applications stops.",
      examples: [['"Autumn leads"', 'By its name.']],
    },
    restart: {
      operation: 'restartCampaign',
      positional: ['campaignId', 'campaign'],
      asks: 'What a restart means for calls that were made already depends on the contact center.',
      examples: [['42 --yes', 'Without asking.']],
    },
    delete: {
      operation: 'deleteCampaign',
      positional: ['campaignId', 'campaign'],
      asks: 'The campaign is deleted, and the interface has no way to bring it back.',
      examples: [['42', 'Delete a campaign.']],
    },
    task: {
      operation: 'campaignTask',
      positional: ['campaignId', 'campaign'],
      examples: [['42', 'The taskId, for "groups assign".']],
    },
  },
});

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  initCommand,
  doctorCommand,
  uiCommand,
  templateCommand,
  importCommand,
  checkCommand,
  suggestCommand,
  reconcileCommand,
  resumeCommand,
  watchCommand,
  workerCommand,
  fleetCommand,
  scheduleCommand,
  notifyCommand,
  runsCommand,
  reportCommand,
  undoCommand,
  ledgerCommand,
  rowsCommand,
  suppressCommand,
  clientsCommand,
  phonesCommand,
  emailsCommand,
  addressesCommand,
  applicationsCommand,
  campaignsCommand,
  groupsCommand,
  callbacksCommand,
  sandboxCommand,
  demoCommand,
  schemaCommand,
  openapiCommand,
];

/**
 * Declares a group. The options come from the contract, which takes time to load: that is done when the command line
 * names the group.
 */
function operationGroup(group: Group): Command {
  return lazyGroup(group, async () => {
    const { loadGroup } = await import('../operations/load-group.js');
    return loadGroup(group);
  });
}

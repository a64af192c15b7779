/** The layers: arrows point down only. Each room lists whom it may import, and why that is enough. */
const rooms = {
  core: { may: [], why: 'the words that everyone shares depend on nothing' },
  contract: { may: ['core'], why: 'the interface is data; it knows no transport' },
  files: {
    may: ['core'],
    why: 'what a path leads to is looked at in one place, for all who open it',
  },
  config: {
    may: ['files', 'core'],
    why: 'a YAML file is read with its places, whatever it describes',
  },
  installation: {
    may: ['config', 'core'],
    why: 'one file describes a contact center, whoever speaks to it',
  },
  client: {
    may: ['installation', 'contract', 'files', 'core'],
    why: 'HTTP derives from the contract and nothing else',
  },
  source: { may: ['files', 'core'], why: 'reading a file knows neither mappings nor servers' },
  quality: {
    may: ['files', 'core'],
    why: 'who may be called is asked of tables and lists; it knows no mapping and no run',
  },
  mapping: {
    may: ['quality', 'installation', 'config', 'core'],
    why: 'a mapping is a pure function of a row',
  },
  suggest: {
    may: ['mapping', 'source', 'installation', 'config', 'core'],
    why: 'a draft is a function of a table and a card; it sends nothing and knows no run',
  },
  prepare: {
    may: ['source', 'mapping', 'quality', 'installation', 'config', 'files', 'core'],
    why: 'reading and mapping run in threads, which know nothing of sending',
  },
  dedup: { may: ['core'], why: 'which keys were seen is asked by whoever compares' },
  ledger: { may: ['files', 'core'], why: 'facts are stored without knowing who produced them' },
  fleet: { may: ['ledger', 'core'], why: 'what machines share is in the ledger of all' },
  pipeline: {
    may: ['core'],
    why: 'delivery is written against ports, so that it can be simulated',
  },
  reconcile: { may: ['core'], why: 'comparing is pure' },
  report: { may: ['files', 'core'], why: 'a report is a function of facts' },
  sandbox: {
    may: ['contract', 'installation', 'files', 'core'],
    why: 'the sandbox answers the contract, configured by the installation file',
  },
  operations: {
    may: ['client', 'mapping', 'installation', 'config', 'contract', 'core'],
    why: 'a single call needs no run',
  },
  app: {
    may: [
      'core',
      'contract',
      'files',
      'config',
      'installation',
      'client',
      'source',
      'mapping',
      'quality',
      'suggest',
      'prepare',
      'dedup',
      'ledger',
      'fleet',
      'pipeline',
      'reconcile',
      'report',
      'operations',
      'metrics',
    ],
    why: 'the parts are put together here, but never with the sandbox',
  },
  metrics: {
    may: ['files', 'core'],
    why: 'figures are taken by looking on; who sends knows nothing of them',
  },
  library: {
    may: ['app', 'operations', 'sandbox', 'report', 'client', 'installation', 'source', 'core'],
    why: 'one shape of options and results for other programs, and the sandbox',
  },
  nightly: {
    may: [
      'app',
      'metrics',
      'ledger',
      'source',
      'mapping',
      'installation',
      'config',
      'files',
      'core',
    ],
    why: 'what runs by itself does what a person would do, and says how it went',
  },
  'web/shared': { may: ['core'], why: 'both sides of the page agree on shapes and routes' },
  'web/page': {
    may: ['web/shared', 'core'],
    why: 'it runs in a browser, and knows of the server what the routes say',
  },
  'web/server': {
    may: ['web/shared', 'app', 'suggest', 'report', 'core'],
    why: 'the page is one more way to use what the command line uses',
  },
  cli: {
    may: [
      'nightly',
      'web/server',
      'app',
      'operations',
      'sandbox',
      'report',
      'prepare',
      'suggest',
      'mapping',
      'installation',
      'config',
      'contract',
      'core',
    ],
    why: 'commands only translate arguments and print',
  },
};

const layers = Object.entries(rooms).map(([room, { may, why }]) => ({
  name: `${room}-layer`,
  comment: why,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/(${[room, ...may].join('|')})/` },
}));

const only = (name, what, where, why) => ({
  name,
  comment: why,
  severity: 'error',
  from: { path: '^src/', pathNot: where },
  to: { path: what },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'a circle has no bottom',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'an import must resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-test-in-src',
      comment: 'the product does not know its tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^test/' },
    },
    ...layers,
    {
      name: 'doors-of-the-ledger',
      comment:
        'the door, what loads no driver, and what loads PostgreSQL for those who share a database: the rest is a secret',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/ledger/' },
      to: {
        path: '^src/ledger/',
        pathNot:
          '^src/ledger/(ledger|address|pace|connection|lease|pieces|postgres-schema|postgres-tables|shared)\\.ts$',
      },
    },
    {
      name: 'postgres-when-asked-for',
      comment: 'a ledger in a file loads no driver of PostgreSQL',
      severity: 'error',
      from: {
        path: '^src/ledger/',
        pathNot: '^src/ledger/(postgres|pieces|shared|lease|connection)',
      },
      to: {
        path: '^src/ledger/(postgres|pieces|shared|lease|connection)',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    only('undici-in-client', '^node_modules/undici/', '^src/client/', 'one room speaks HTTP'),
    only(
      'fastify-in-sandbox-and-web',
      '^node_modules/fastify/',
      '^src/(sandbox|web/server)/',
      'two rooms serve HTTP',
    ),
    only(
      'preact-in-page',
      '^node_modules/(preact|@preact)/',
      '^src/web/page/',
      'one room draws in a browser',
    ),
    only(
      'files-in-source-and-report',
      '^node_modules/(csv-parse|yauzl|chardet|hyparquet|hyparquet-writer|iconv-lite|@e965/xlsx|exceljs)/',
      '^src/(source|report)/',
      'spreadsheet formats stay behind one row shape',
    ),
    only(
      'uplot-in-report-and-page',
      '^node_modules/uplot/',
      '^src/(report|web/page)/',
      'the report draws charts, and so does the page',
    ),
    only(
      'pg-in-the-ledger',
      '^node_modules/pg/',
      '^src/ledger/connection\\.ts$',
      'storage stays behind its port',
    ),
    only(
      'sqlite-behind-ports',
      '^node_modules/better-sqlite3/',
      '^src/(ledger|sandbox|quality/store|nightly/state)/',
      'storage stays behind its port',
    ),
    only(
      'prom-client-in-metrics',
      '^node_modules/prom-client/',
      '^src/metrics/',
      'one room knows the registry',
    ),
    only(
      'opentelemetry-in-one-folder',
      '^node_modules/@opentelemetry/',
      '^src/app/run/observe/',
      'spans are made by looking on',
    ),
    only(
      'yargs-in-cli',
      '^node_modules/(yargs|cli-progress|cli-table3)/',
      '^src/cli/',
      "the terminal is the command line's",
    ),
    {
      name: 'pure-rooms-touch-no-disk',
      comment: 'what can be repeated must not touch files; ports bring them in',
      severity: 'error',
      from: { path: '^src/(core|contract|pipeline|reconcile|mapping/compile)' },
      to: { path: '^(node:)?fs', dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};

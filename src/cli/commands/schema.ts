import { EXIT } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { printJson } from '../output/output.js';

const KINDS = ['mapping', 'installation', 'pickup'] as const;

export const schemaCommand = defineCommand({
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

const ofMapping = () => import('../../mapping/json-schema.js');

const SCHEMAS: Readonly<Record<(typeof KINDS)[number], () => Promise<object>>> = {
  mapping: async () => (await ofMapping()).mappingJsonSchema(),
  installation: async () => (await ofMapping()).installationJsonSchema(),
  pickup: async () => (await import('../../nightly/pickup/json-schema.js')).pickupJsonSchema(),
};

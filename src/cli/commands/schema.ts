import { EXIT } from '../../core/errors/errors.js';
import { defineCommand } from '../command.js';
import { printJson } from '../output/output.js';

const KINDS = ['mapping', 'installation'] as const;

export const schemaCommand = defineCommand({
  usage: 'schema <kind>',
  describe: 'Print the JSON Schema of a mapping or installation file, for your editor.',
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
    const { installationJsonSchema, mappingJsonSchema } =
      await import('../../mapping/json-schema.js');
    const schema = kind === 'mapping' ? mappingJsonSchema() : installationJsonSchema();
    await printJson(stdout, `${JSON.stringify(schema, null, 2)}\n`);
    return EXIT.ok;
  },
});

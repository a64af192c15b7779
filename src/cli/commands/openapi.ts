import { EXIT } from '../../core/errors.js';
import { defineCommand } from '../command.js';
import { printJson } from '../output/output.js';

export const openapiCommand = defineCommand({
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

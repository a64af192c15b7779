import { defineCommand } from '../command.js';
import { printStatus, statusOptions } from './status-text.js';

export const buildCommand = defineCommand({
  usage: 'build',
  describe: 'Compile the lists now, so that the next run need not; make missing stores.',
  epilogue: 'Ends with 64 where a list would stop a run.',
  options: statusOptions,
  examples: [['$0 suppress build -i center.yaml', 'After new lists were fetched.']],
  build: (parser) => parser.options(statusOptions),
  async run({ installation, json = false }, terminal) {
    const { buildLists } = await import('../../app/suppress/list-status.js');
    return await printStatus(await buildLists(installation), terminal, json);
  },
});

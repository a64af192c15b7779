import { defineCommand } from '../command.js';
import { printStatus, statusOptions } from './status-text.js';

export const statusCommand = defineCommand({
  usage: 'status',
  describe: 'Say how many numbers each list has, and how old it is.',
  epilogue: 'Ends with 64 where a list would stop a run.',
  options: statusOptions,
  examples: [['$0 suppress status -i center.yaml', 'Can all lists be used?']],
  build: (parser) => parser.options(statusOptions),
  async run({ installation, json = false }, terminal) {
    const { listStatus } = await import('../../app/suppress/list-status.js');
    return await printStatus(await listStatus(installation), terminal, json);
  },
});

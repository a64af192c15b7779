import { defineCommand } from '../command.js';

export const demoCommand = defineCommand({
  usage: 'demo',
  describe: 'Import a sample into an embedded sandbox, to see how it all works.',
  epilogue: `The sandbox, the ledger and the report lie in a new folder below runs/. The sample has bad rows on purpose; the demo ends with 0 nevertheless.`,
  options: {},
  examples: [['$0 demo', 'No server and no files are needed.']],
  build: (parser) => parser,
  async run(_args, terminal) {
    const { runDemo } = await import('../demo.js');
    return runDemo(terminal);
  },
});

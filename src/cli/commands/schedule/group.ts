import { commandGroup } from '../../group.js';
import { printCommand } from './print.js';

export const scheduleGroup = commandGroup({
  name: 'schedule',
  describe: 'Have files imported by the clock.',
  subcommands: [printCommand],
  examples: [
    ["$0 schedule print systemd pickup.yaml --at '21:30 Europe/Moscow'", 'A service with a timer.'],
  ],
});

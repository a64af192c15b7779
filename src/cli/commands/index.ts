import type { Command } from '../command.js';
import { checkCommand } from './check.js';
import { demoCommand } from './demo.js';
import { importCommand } from './import.js';
import { openapiCommand } from './openapi.js';
import { resumeCommand } from './resume.js';
import { rowsCommand } from './rows.js';
import { runsCommand } from './runs.js';
import { sandboxCommand } from './sandbox.js';
import { schemaCommand } from './schema.js';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  importCommand,
  checkCommand,
  resumeCommand,
  runsCommand,
  rowsCommand,
  sandboxCommand,
  demoCommand,
  schemaCommand,
  openapiCommand,
];

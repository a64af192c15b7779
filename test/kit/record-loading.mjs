import { appendFileSync } from 'node:fs';
import Module from 'node:module';
import { threadId } from 'node:worker_threads';

/**
 * To be imported before a program: writes down every file that it loads, in the file that `RECORD_LOADING` names, with
 * the thread that loads it. ES modules are not seen.
 */
const compile = Module.prototype._compile;
Module.prototype._compile = function (content, filename, ...rest) {
  appendFileSync(process.env.RECORD_LOADING, `${threadId} ${filename}\n`);
  return compile.call(this, content, filename, ...rest);
};

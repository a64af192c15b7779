import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Writable } from 'node:stream';

/*
 * Writes the man page into the package, `man cardline`: the help of every command, as the bundle prints it.
 */

/** Columns of the help, which stands in the page indented by a few more. */
const WIDTH = 72;
const folder = join(import.meta.dirname, '../dist/command');
const { run } = createRequire(import.meta.url)(join(folder, 'cli.js'));

writeFileSync(join(folder, 'cardline.1'), await page());

/** The help of a command, of which these are the words. */
async function help(words) {
  let text = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const terminal = {
    ...{ stdin: process.stdin, stdout, stderr: stdout, env: {}, interactive: false },
    ...{ columns: WIDTH, signal: new globalThis.AbortController().signal },
  };
  const exitCode = await run([...words, '--help'], terminal);
  if (exitCode !== 0) throw new Error(`No help of "${words.join(' ')}": ${text}`);
  return text;
}

async function page() {
  const all = await help([]);
  const [, about = ''] = all.split('\n\n');
  const parts = [
    '.TH CARDLINE 1',
    `.SH NAME\ncardline \\- ${escaped(about)}`,
    `.SH SYNOPSIS\n.B cardline\n.I command\n[options]`,
    section('DESCRIPTION', all),
  ];
  for (const words of await commandsOf([])) {
    // In place of a help it has its script.
    if (words[0] === 'completion') continue;
    const title = `cardline ${words.join(' ')}`.toUpperCase();
    parts.push(section(title, await help(words)));
  }
  return `${parts.join('\n')}\n`;
}

/** The words of each command and of each command of a group, in the order of the help. */
async function commandsOf(words) {
  const listed = (await help(words)).match(/^Commands:\n((?: .*\n)+)/m)?.[1] ?? '';
  const start = ['cardline', ...words].join(' ');
  const found = [];
  for (const [, name] of listed.matchAll(new RegExp(`^ {2}${start} ([a-z-]+)`, 'gm'))) {
    const command = [...words, name];
    found.push(command, ...(await commandsOf(command)));
  }
  return found;
}

function section(title, text) {
  return `.SH "${title}"\n.nf\n${escaped(text.trimEnd())}\n.fi`;
}

/** No line of the text is an instruction to the formatter. */
function escaped(text) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}

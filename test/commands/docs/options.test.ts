import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProcess } from '../operations/harness.js';
import { root } from '../../kit/cardline.js';
import { examplesByPage, wordsOf } from './examples.js';
import { pages } from './pages.js';

describe('every option is known to its command', () => {
  const lines = examplesByPage.flatMap((page) =>
    page.lines.map(({ line }) => ({ name: page.name, line })),
  );

  it.each(lines)('$name: $line', async ({ line }) => {
    const words = wordsOf(line);
    const help = await helpFor(words);
    const options = words
      .filter((word) => /^--?[a-z]/.test(word))
      .map((word) => word.replace(/=.*$/, ''));
    expect(options.filter((option) => !isKnown(help, option))).toEqual([]);
  });
});

it('names scripts that package.json has', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const named = pages.flatMap(({ text }) =>
    [...text.matchAll(/\bnpm (?:run ([\w:]+)|(test)\b)/g)].map(
      ([, script, test]) => script ?? test,
    ),
  );
  expect(named.filter((script) => script === undefined || !(script in scripts))).toEqual([]);
});

const helps = new Map<string, Promise<string>>();

function helpOf(command: readonly string[]): Promise<string> {
  const key = command.join(' ');
  const help = helps.get(key) ?? inProcess([...command, '--help']).then(({ stdout }) => stdout);
  helps.set(key, help);
  return help;
}

/** The help of the command that the words begin with. @throws Error when there is none */
async function helpFor([first = '', second = '']: readonly string[]): Promise<string> {
  const top = await helpOf([]);
  if (first.startsWith('-')) return top;
  if (!has(top, first)) throw new Error(`there is no command ${first}`);
  const help = await helpOf([first]);
  if (!/^Commands:$/m.test(help)) return help;
  if (!has(help, `${first} ${second}`)) throw new Error(`there is no command ${first} ${second}`);
  return helpOf([first, second]);
}

const has = (help: string, command: string): boolean =>
  new RegExp(`^ {2}cardline ${command}\\b`, 'm').test(help);

function isKnown(help: string, option: string): boolean {
  const known = new Set(help.match(/(?<=[\s,])--?[a-z][\w-]*/g));
  return known.has(option) || known.has(option.replace(/^--no-/, '--'));
}

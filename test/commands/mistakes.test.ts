import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parsePlaced } from '../../src/config/document.js';
import { ConfigurationError } from '../../src/core/errors.js';
import { leadsFolder } from './leads-folder.js';

const { at, run } = leadsFolder({
  'wrong-mapping.yaml': 'client:\n  clientRole: { value: 1 }\n',
  'wrong-center.yaml': 'name: test\nbaseURL: http://127.0.0.1:9\n',
  'other.csv': 'Number,Phone\n1,79160000001\n',
  'empty.csv': '',
});

describe('all mistakes are reported at once', () => {
  const all = (command: string[], file: string, mapping: string, center: string) =>
    run(...command, file, '-m', mapping, '-i', center);

  it.each([[['check']], [['import']], [['import', '--sandbox']], [['reconcile']]])(
    'by %j',
    async (command) => {
      const none = await all(command, 'none.csv', 'wrong-mapping.yaml', 'wrong-center.yaml');
      expect(none.code).toBe(64);
      expect(none.stderr).toMatch(/wrong-mapping\.yaml:2:3:/);
      expect(none.stderr).toMatch(/wrong-center\.yaml:2:1: .*Did you mean .*baseUrl/);
      expect(none.stderr).toMatch(/none\.csv: there is no such file/i);
      const empty = await all(command, 'empty.csv', 'wrong-mapping.yaml', 'wrong-center.yaml');
      expect(empty.stderr).toMatch(/wrong-mapping\.yaml:2:3:/);
      expect(empty.stderr).toMatch(/wrong-center\.yaml:2:1:/);
      const columns = await all(command, 'other.csv', 'mapping.yaml', 'wrong-center.yaml');
      expect(columns.stderr).toMatch(/wrong-center\.yaml:2:1:/);
      expect(columns.stderr).toMatch(/mapping\.yaml:4:\d+: .*"Id"/);
    },
  );

  it('of several files, each once', async () => {
    await writeFile(at('second.csv'), 'Number,Phone\n2,79160000002\n');
    const files = ['other.csv', 'second.csv', '-m', 'mapping.yaml', '-i', 'center.yaml'];
    const { stderr } = await run('check', ...files);
    expect(stderr).toContain('other.csv');
    expect(stderr).toContain('second.csv');
    const lines = stderr.trimEnd().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
  });
});

describe('a line of YAML that is indented wrongly is named itself', () => {
  const mistakes = (text: string): (number | undefined)[][] => {
    try {
      parsePlaced('m.yaml', text);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return error.mistakes.map(({ line, column }) => [line, column]);
    }
  };

  it.each([
    ['an item that is too deep', 'a:\n  - column: x\n      - column: y\n', [[3, 7]]],
    ['an item one blank too deep', 'a:\n  - column: x\n   - column: y\n', [[3, 4]]],
    ['an item that is not deep enough', 'a:\n    - column: x\n  - column: y\nb: c\n', [[3, 3]]],
    ['an item below a value', 'a: [x]\n  - column: y\n', [[2, 3]]],
    ['a key of an item', 'a:\n  - column: x\n      type: MOB\n', [[3, 7]]],
    ['a key of an item to the left', 'a:\n  - column: x\n   type: MOB\n', [[3, 4]]],
    ['a key below a key with a value', 'a:\n  b: c\n    d: e\n', [[3, 5]]],
    ['the same below a comment', 'a:\n  b: c\n    # why\n\n    d: e\n', [[5, 5]]],
    ['a key below braces', 'a:\n  b: { c: d }\n   e: f\n', [[3, 4]]],
    ['a key to the left', 'a:\n    b: c\n  d: e\n', [[3, 3]]],
    [
      'two lines',
      'a:\n  b: c\n    d: e\n  f: g\n    h: i\n',
      [
        [3, 5],
        [5, 5],
      ],
    ],
    ['with Windows line ends', 'a:\r\n  b: c\r\n    d: e\r\n', [[3, 5]]],
    ['nothing', 'a:\n  b: c\n  d: [e]\n', []],
  ])('%s', (_, text, places) => {
    expect(mistakes(text)).toEqual(places);
  });
});

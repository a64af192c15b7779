import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commands } from '../../../src/cli/commands/index.js';
import { nearest } from '../../../src/config/nearest.js';

const names = [...new Set(commands.flatMap(({ name, optionNames }) => [name, ...optionNames]))];

it('finds a name again when one character of it is missing', () => {
  const long = names.filter((name) => name.length > 3);
  fc.assert(
    fc.property(fc.constantFrom(...long), fc.nat(), (name, at) => {
      const position = at % name.length;
      const mistyped = name.slice(0, position) + name.slice(position + 1);
      expect(nearest(mistyped, [name])).toBe(name);
    }),
  );
});

it('suggests nothing when nothing is near', () => {
  expect(nearest('completely-different', names)).toBeUndefined();
  expect(nearest('import', [])).toBeUndefined();
});

it('takes the beginning of a name for the name', () => {
  expect(nearest('inst', ['installation', 'mapping'])).toBe('installation');
});

it('takes no beginning that several names have', () => {
  expect(nearest('map', ['mapping file', 'mapping folder'])).toBeUndefined();
});

it('gives no weight to case, spaces and dashes', () => {
  expect(nearest('e-mail', ['Phone', 'E Mail'])).toBe('E Mail');
});

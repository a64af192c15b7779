import { expect, it } from 'vitest';
import { allExports } from './exports.js';
import { figuresOf } from './figures.js';
it('tuning', () => {
  const { misses, ...f } = figuresOf(
    allExports().filter((e) =>
      process.env['HELD'] ? e.heldOut : !e.heldOut && e.shape === undefined,
    ),
  );
  console.log(f, '\n' + misses.join('\n'));
  expect(1).toBe(1);
});

import fc from 'fast-check';
import { Document, isMap, isPair, parse, parseDocument, visit } from 'yaml';
import { describe, expect, it } from 'vitest';
import { patchYaml } from '../../../src/config/patch-yaml.js';
import { tablesIn } from '../../kit/tables.js';

interface Patch {
  readonly case: string;
  readonly text: string;
  readonly value: object;
  /** The whole text, or a part of it. */
  readonly becomes?: string;
  readonly holds?: string;
}

interface Style {
  readonly flow: readonly boolean[];
  readonly crlf: boolean;
  readonly indent: number;
}

describe('a YAML text that gets another value', () => {
  it.each(tablesIn(import.meta.dirname, 'patch.yaml') as readonly Patch[])(
    '$case',
    ({ text, value, becomes, holds = '' }) => {
      const patched = patchYaml(text, value);
      expect(parse(patched ?? '')).toEqual(value);
      if (becomes !== undefined) expect(patched).toBe(becomes);
      expect(patched).toContain(holds);
    },
  );

  it('writes a long section over several lines', () => {
    const map = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`value ${n}`, 'x']));
    const patched = patchYaml('a:\n  b: 1\n', { a: { b: 1, map } });
    expect(patched).toContain('\n  map:\n    value 0: x\n');
  });

  const text = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'a: b',
      '# c',
      "it's",
      '"q"',
      'yes',
      'null',
      '1',
      '-',
      '- a',
      '{',
      ']',
    ),
    fc.constantFrom('a\nb', 'a #b', '*x', '&y', '!t', '%', '@', '`', ',', 'тест', 'a\tb', '\u2028'),
    fc.string({ maxLength: 6 }),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        tie('value'),
        { maxKeys: 4, noNullPrototype: true },
      ),
    ),
  }));
  const table = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd: e'), value, {
    minKeys: 1,
    noNullPrototype: true,
  });
  const style = fc.record(
    {
      flow: fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
      indent: fc.constantFrom(2, 4),
      indentSeq: fc.boolean(),
      lineWidth: fc.constantFrom(0, 40),
      crlf: fc.boolean(),
    },
    { noNullPrototype: true },
  );

  /** A value in a style of its own, with a comment above and beside each pair of its first level. */
  function written(value: unknown, { flow, crlf, ...options }: Style): string {
    const document = new Document(value);
    let turn = 0;
    visit(document, {
      Collection(key, node) {
        if (key !== null) node.flow = flow[turn++ % flow.length] === true;
      },
    });
    if (isMap(document.contents))
      for (const [at, pair] of document.contents.items.entries())
        if (isPair(pair)) (pair.key as { commentBefore?: string }).commentBefore = ` above ${at}`;
    const plain = document.toString(options);
    return crlf ? plain.replaceAll('\n', '\r\n') : plain;
  }

  it('has that value, whatever it was, and keeps what is the same', () => {
    fc.assert(
      fc.property(table, table, style, (from, to, how) => {
        const before = written(from, how);
        fc.pre(parseDocument(before).errors.length === 0);
        const start = parse(before) as Record<string, unknown>;
        const wanted = { ...start, ...to };
        const after = patchYaml(before, wanted);
        if (after === null) throw new Error('refused');
        expect(parse(after)).toEqual(wanted);
        for (const [at] of Object.keys(start).entries()) expect(after).toContain(`# above ${at}`);
        expect(patchYaml(after, wanted)).toBe(after);
      }),
      { numRuns: 200 },
    );
  });
});

import fc from 'fast-check';
import { Document, isMap, isPair, parse, parseDocument, visit } from 'yaml';
import { describe, expect, it } from 'vitest';
import { patchYaml } from '../../../src/config/patch-yaml.js';

/** What a text becomes when one place of its value is changed. */
function changed(text: string, change: (value: never) => unknown): string {
  const value = parse(text) as never;
  const result: unknown = change(value);
  const patched = patchYaml(text, Array.isArray(result) ? result : value);
  if (patched === null) throw new Error(`this cannot be changed: ${text}`);
  return patched;
}

interface Style {
  readonly flow: readonly boolean[];
  readonly crlf: boolean;
  readonly indent: number;
}

interface Any {
  [key: string]: Any;
  [index: number]: Any;
}
const set = (value: unknown): Any => value as Any;
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

describe('a YAML text that gets another value', () => {
  it('keeps comments, quotes, spaces and order of all else', () => {
    const text = lines(
      '# top',
      "a:   'one'   # beside",
      '',
      'list: [ 1,2 ,   3 ] # three',
      'map:',
      '    # above',
      '    x: {  p: 1 }',
      '    y: "q"  # last',
      '# end',
    );
    expect(changed(text, (v: Any) => void (v['map']!['x']!['p'] = set(2)))).toBe(
      text.replace('p: 1', 'p: 2'),
    );
    expect(changed(text, (v: Any) => void (v['a'] = set('two')))).toBe(
      text.replace("'one'", 'two'),
    );
    expect(changed(text, (v: Any) => void (v['map']!['z'] = set({ a: [1] })))).toBe(
      text.replace('# last\n', '# last\n    z: { a: [1] }\n'),
    );
    expect(changed(text, (v: Any) => delete v['map']!['y'])).toBe(
      text.replace('    y: "q"  # last\n', ''),
    );
    expect(changed(text, (v: Any) => void (v['list'] as never as unknown[]).splice(1, 1))).toBe(
      text.replace('2 ,   ', ''),
    );
  });

  it('keeps Windows line ends', () => {
    const text = 'a: 1\r\nb:\r\n  c: 2\r\n';
    expect(changed(text, (v: Any) => void (v['b']!['d'] = set('x')))).toBe(
      'a: 1\r\nb:\r\n  c: 2\r\n  d: x\r\n',
    );
    expect(changed(text, (v: Any) => delete v['a'])).toBe('b:\r\n  c: 2\r\n');
  });

  it('writes references out where one of the two places changes', () => {
    const text = lines('a: &steps [trim, lower] # shared', 'b: *steps', 'c: { t: *steps }');
    const other = changed(text, (v: Any) => void (v['b'] = set(['trim'])));
    expect(other).toBe(text.replace('b: *steps', 'b: [trim]'));
    const source = changed(text, (v: Any) => void (v['a'] = set(['upper', 'lower'])));
    expect(parse(source)).toEqual({
      ...{ a: ['upper', 'lower'], b: ['trim', 'lower'], c: { t: ['trim', 'lower'] } },
    });
    expect(parse(changed(text, (v: Any) => delete v['a']))).toEqual({
      ...{ b: ['trim', 'lower'], c: { t: ['trim', 'lower'] } },
    });
  });

  it('begins where nothing is written yet', () => {
    expect(patchYaml('', { a: 1 })).toBe('a: 1\n');
    expect(patchYaml('# only this', { a: 1 })).toBe('# only this\na: 1\n');
    expect(patchYaml('a:\n  # below\nb: 1\n', { a: { c: 'x' }, b: 1 })).toBe(
      'a: { c: x }\n  # below\nb: 1\n',
    );
    expect(patchYaml('fields:\n  # note\n  a: 1\nb: 2\n', { fields: {}, b: 2 })).toBe(
      'fields: {}\n  # note\nb: 2\n',
    );
  });

  it('takes the first and the last entry out of sections and lists', () => {
    const text = lines('- column: A', '  # why', '  type: MOB', '- column: B', '# end');
    expect(changed(text, (v: Any) => delete v[0]!['column'])).toContain('# why\n  type: MOB');
    expect(changed(text, (v: Any) => [v[1]])).toBe(lines('- column: B', '# end'));
    expect(changed(text, (v: Any) => [v[0]])).toBe(text.replace('- column: B\n', ''));
    expect(changed(text, (v: Any) => [v[1], v[0]])).toContain('# end');
  });

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

  it('adds an entry before the first of a list within a list', () => {
    const text = 'a:\n- - b # beside\n  - c\n- d\n';
    expect(patchYaml(text, { a: [['x', 'b', 'c'], 'd'] })).toBe(
      'a:\n- - x\n  - b # beside\n  - c\n- d\n',
    );
  });

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

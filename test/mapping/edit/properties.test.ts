import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { parsePlaced } from '../../../src/config/document.js';
import { checkMapping, loadedMapping } from '../../../src/mapping/mapping.js';
import { compileMapping } from '../../../src/mapping/compile.js';
import { editMapping, type MappingEdit } from '../../../src/mapping/edit.js';
import { type ColumnTarget, writtenUses } from '../../../src/mapping/column-uses.js';
import { CARD, clientOf } from '../files.js';
import { tablesIn } from '../../kit/tables.js';

const HEADERS = ['Id', 'Name', 'Phone', 'a: b', "it's #1", '"q"', 'Имя', '- x', '{y}', 'yes', '12'];
const BASE = tablesIn(import.meta.dirname, 'properties.yaml') as string;
/** Comments that stand beside no value that an edit here takes out. */
const KEPT = ['# top', '# the client', '# role', '# who it is', '# shared', '# end'];

const column = fc.constantFrom(...HEADERS.slice(2));
const target = fc.constantFrom<ColumnTarget>(
  ...(['fields.name', 'fields.a', 'fields.x: y', 'phones', 'emails', 'timeZone'] as const),
);
const word = fc.oneof(
  fc.constantFrom('VIP', 'n/a', "o'", '# c', 'a: b', '-', '1', 'да'),
  fc
    .string({ minLength: 1, maxLength: 5 })
    .filter((text) => text.trim() !== '' && text.trim() !== '__proto__'),
);
const edit: fc.Arbitrary<MappingEdit> = fc.oneof(
  fc.record({ kind: fc.constant('become' as const), column, target: fc.option(target) }),
  fc.record({
    kind: fc.constant('become' as const),
    column,
    target,
    join: fc.constant(true as const),
  }),
  fc.record({
    ...{ kind: fc.constant('columns' as const), target: fc.constant('fields.b' as const) },
    columns: fc.uniqueArray(column, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('step' as const),
    column,
    step: fc.constantFrom('trim' as const, 'lower' as const, { date: { from: 'dd.MM.yyyy' } }),
  }),
  fc.record({
    kind: fc.constant('mapValue' as const),
    column,
    from: word,
    to: fc.option(word),
    keep: fc.array(
      word.map((text) => text.trim()),
      { maxLength: 2 },
    ),
  }),
  fc.record({
    kind: fc.constant('blank' as const),
    column,
    words: fc.array(word, { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('default' as const), column, value: fc.option(word) }),
  fc.record({
    kind: fc.constant('invalid' as const),
    column,
    invalid: fc.constantFrom('drop' as const, 'reject' as const),
  }),
  fc.record({
    kind: fc.constant('source' as const),
    options: fc.record({
      sheet: fc.option(word),
      delimiter: fc.option(fc.constantFrom(';', 'tab')),
    }),
  }),
);

/** Lines as somebody types them between two edits. */
const typed = fc.constantFrom('# typed here', 'report: { show: [Id] }', '');

const targetsOf = (yaml: string, header: string): string[] =>
  writtenUses(parse(yaml)).flatMap(({ target: one, columns }) =>
    columns.includes(header) ? [one] : [],
  );

describe('any edits of a mapping', () => {
  it('keep it readable, keep comments elsewhere, and say what they say', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(edit, typed), { maxLength: 12 }),
        fc.boolean(),
        (edits, windows) => {
          let text = windows ? BASE.replaceAll('\n', '\r\n') : BASE;
          for (const [one, line] of edits) {
            const result = editMapping(text, one);
            if ('refused' in result) {
              expect(['not_used', 'not_joinable', 'needs_keep']).toContain(result.refused.code);
              continue;
            }
            if (!('yaml' in result)) throw new Error(JSON.stringify([text, one, result]));
            text = result.yaml;
            if (one.kind === 'become' && one.target === null)
              expect(targetsOf(text, one.column)).toEqual([]);
            if (one.kind === 'become' && one.target !== null)
              expect(targetsOf(text, one.column)).toEqual([one.target]);
            if (line !== '' && !text.includes(line)) text += `${line}${windows ? '\r\n' : '\n'}`;
          }
          for (const comment of KEPT) expect(text).toContain(comment);
          if (windows) expect(text.replaceAll('\r\n', '')).not.toContain('\n');
          parsePlaced('edited', text);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('give rows what they say', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HEADERS.slice(3)),
        fc.constantFrom(...HEADERS.slice(3)),
        word,
        (one, other, value) => {
          const edits: MappingEdit[] = [
            { kind: 'become', column: one, target: 'fields.name' },
            { kind: 'become', column: other, target: 'fields.name', join: '+' },
            { kind: 'become', column: 'Name', target: null },
            { kind: 'default', column: one, value: value },
          ];
          const yaml = edits.reduce(
            (text, each) => {
              const result = editMapping(text, each);
              return 'yaml' in result ? result.yaml : text;
            },
            BASE.replace('    other: *steps\n', ''),
          );
          const mapping = loadedMapping(checkMapping(parsePlaced('edited', yaml)), new Map());
          const { map } = compileMapping({ mapping, card: CARD, headers: HEADERS });
          const cells = HEADERS.map((_, at) =>
            at === 0 ? '7' : at === 2 ? '+79990001000' : `cell ${at}`,
          );
          const joined = [...new Set([one, other])]
            .map((name) => `cell ${HEADERS.indexOf(name)}`)
            .join('+');
          expect(clientOf(map(cells)).fields['name']).toBe(joined);
          const empty = cells.map((cell, at) => (at > 2 ? null : cell));
          expect(clientOf(map(empty)).fields['name']).toBe(value);
        },
      ),
      { numRuns: 50 },
    );
  });
});

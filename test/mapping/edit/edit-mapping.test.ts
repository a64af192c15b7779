import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { editMapping } from '../../../src/mapping/edit/edit-mapping.js';
import { type MappingEdit, mappingEdit } from '../../../src/mapping/edit/edit.js';

const MAPPINGS = join(import.meta.dirname, '../../../mappings');

/** The text after these edits, each as it comes from the page. */
function edited(yaml: string, ...edits: readonly unknown[]): string {
  return edits.reduce<string>((text, edit) => {
    const result = editMapping(text, mappingEdit.parse(edit));
    if (!('yaml' in result)) throw new Error(JSON.stringify(result));
    return result.yaml;
  }, yaml);
}

const refused = (yaml: string, edit: MappingEdit) => {
  const result = editMapping(yaml, edit);
  return 'refused' in result ? result.refused : result;
};

const LEADS = `# Leads of the autumn
client:
  clientRoleId: { value: 1 } # operators
  timeZone: { value: UTC }
  fields:
    # who it is
    offerId: Offer ID
    fullName: { columns: [First name, Last name], join: ' ', transform: collapse } # as on the card
    segment:
      column: Segment   # warm or cold
      transform: [trim, lower]
  phones:
    - { column: Mobile, type: MOB }
    # the second one
    - { column: Other, type: WORK }
# the end
`;

describe('what a column becomes', () => {
  it('is written where it belongs, and nothing else changes', () => {
    expect(edited(LEADS, { kind: 'become', column: 'Город', target: 'fields.city' })).toBe(
      LEADS.replace('  phones:', '    city: Город\n  phones:'),
    );
    expect(
      edited(LEADS, { kind: 'become', column: 'Fax', target: 'phones', phoneType: 'FAX' }),
    ).toBe(LEADS.replace('# the end', '    - { column: Fax, type: FAX }\n# the end'));
    expect(edited(LEADS, { kind: 'become', column: 'Mail', target: 'emails' })).toBe(
      LEADS.replace('# the end', '  emails: [Mail]\n# the end'),
    );
  });

  it('keeps the other column of a value that is made of several', () => {
    const without = edited(LEADS, { kind: 'become', column: 'First name', target: null });
    expect(without).toBe(
      LEADS.replace("{ columns: [First name, Last name], join: ' ', ", '{ column: Last name, '),
    );
    expect(
      parse(edited(without, { kind: 'become', column: 'First name', target: 'fields.first' })),
    ).toHaveProperty('client.fields.fullName', { column: 'Last name', transform: 'collapse' });
    const joined = edited(without, {
      ...{ kind: 'become', column: 'Middle', target: 'fields.fullName', join: true },
    });
    expect(joined).toContain('fullName: { columns: [Last name, Middle], transform: collapse }');
  });

  it('changes the type of a phone in its place', () => {
    expect(
      edited(LEADS, { kind: 'become', column: 'Other', target: 'phones', phoneType: 'HOME' }),
    ).toBe(LEADS.replace('WORK', 'HOME'));
  });

  it('takes a column out, and a list that has nothing left', () => {
    const one = edited(LEADS, { kind: 'become', column: 'Other', target: null });
    expect(one).toBe(LEADS.replace('    - { column: Other, type: WORK }\n', ''));
    expect(
      parse(edited(one, { kind: 'become', column: 'Mobile', target: null })),
    ).not.toHaveProperty('client.phones');
  });

  it('takes the words for an empty cell along', () => {
    const blank = edited(LEADS, { kind: 'blank', column: 'Other', words: ['n/a'] });
    expect(edited(blank, { kind: 'become', column: 'Other', target: 'fields.note' })).toContain(
      'note: { column: Other, blank: [n/a] }',
    );
  });

  it('leaves one of several uses, or adds one', () => {
    const twice = edited(LEADS, {
      kind: 'become',
      column: 'Offer ID',
      target: 'fields.url',
      at: 'new',
    });
    expect(parse(twice)).toMatchObject({
      client: { fields: { offerId: 'Offer ID', url: 'Offer ID' } },
    });
    expect(
      edited(twice, {
        ...{ kind: 'become', column: 'Offer ID', target: null, at: ['client', 'fields', 'url'] },
      }),
    ).toBe(LEADS);
  });

  it('has a status in place of a type where contacts get one', () => {
    const contacts = 'mode: contacts\nclient:\n  fields: { id: Id }\n';
    expect(edited(contacts, { kind: 'become', column: 'Phone', target: 'phones' })).toBe(
      `${contacts}  phones: [{ column: Phone, active: true }]\n`,
    );
  });

  it('begins in an empty file', () => {
    expect(edited('', { kind: 'become', column: 'Phone', target: 'phones' })).toBe(
      'client: { phones: [{ column: Phone, type: MOB }] }\n',
    );
    expect(
      parse(edited('# mine\n', { kind: 'columns', target: 'fields.name', columns: ['A', 'B'] })),
    ).toEqual({ client: { fields: { name: { columns: ['A', 'B'] } } } });
  });

  it('names columns with any signs, and by letter', () => {
    for (const column of [
      'a: b',
      '# c',
      "it's",
      '"q"',
      '- x',
      '{',
      'A',
      '1',
      'yes',
      'a\nb',
      '*r',
      'é\u00a0ü',
    ]) {
      const yaml = edited(LEADS, { kind: 'become', column, target: 'fields.odd' });
      expect(parse(yaml)).toHaveProperty('client.fields.odd', column);
      expect(edited(yaml, { kind: 'become', column, target: null })).toBe(LEADS);
    }
  });
});

describe('a value', () => {
  const of = (yaml: string, path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], parse(yaml));

  it('gets transforms in the order in which they make sense', () => {
    const phone = { kind: 'step', column: 'Mobile', step: { phone: { country: 'RU' } } };
    expect(edited(LEADS, phone)).toBe(
      LEADS.replace('type: MOB }', 'type: MOB, transform: { phone: { country: RU } } }'),
    );
    expect(
      edited(
        LEADS,
        phone,
        { ...phone, step: { phone: { country: 'KZ' } } },
        { ...phone, step: 'trim' },
      ),
    ).toContain('transform: [trim, { phone: { country: KZ } }]');
    expect(edited(LEADS, phone, { kind: 'withoutStep', column: 'Mobile', name: 'phone' })).toBe(
      LEADS,
    );
    const date = edited(LEADS, {
      kind: 'step',
      column: 'Offer ID',
      step: { date: { from: 'dd.MM.yyyy' } },
    });
    expect(date).toContain('offerId: { column: Offer ID, transform: ');
    expect(of(date, 'client.fields.offerId.transform')).toEqual({ date: { from: 'dd.MM.yyyy' } });
  });

  it('is replaced by a map where the values to keep are known', () => {
    const gold = {
      kind: 'mapValue',
      column: 'Segment',
      from: 'Тёплый ',
      to: 'warm',
      keep: ['warm', 'cold'],
    };
    const yaml = edited(LEADS, gold);
    expect(of(yaml, 'client.fields.segment.map')).toEqual({
      warm: 'warm',
      cold: 'cold',
      тёплый: 'warm',
    });
    expect(yaml).toContain('column: Segment   # warm or cold\n');
    const more = edited(yaml, { kind: 'mapValue', column: 'Segment', from: 'Hot', to: 'warm' });
    expect(of(more, 'client.fields.segment.map')).toHaveProperty('hot', 'warm');
    expect(edited(more, { ...gold, from: 'Hot', to: null })).toBe(yaml);
  });

  it('is replaced by a pattern where all others are to stay', () => {
    const edit = { kind: 'mapValue', column: 'Offer ID', from: 'A+B ', to: 'C' };
    const yaml = edited(LEADS, edit);
    expect(of(yaml, 'client.fields.offerId')).toEqual({
      column: 'Offer ID',
      transform: { replace: { pattern: String.raw`^[\s\pZ]*A\+B[\s\pZ]*$`, with: 'C' } },
    });
    expect(of(edited(yaml, { ...edit, to: null }), 'client.fields.offerId')).toEqual({
      column: 'Offer ID',
    });
    expect(refused(LEADS, mappingEdit.parse({ ...edit, to: '$5' }))).toMatchObject({
      code: 'needs_keep',
    });
  });

  it('gets what stands beside it, and loses it again', () => {
    const on = { column: 'Other' };
    expect(
      edited(
        LEADS,
        { kind: 'invalid', ...on, invalid: 'drop' },
        { kind: 'split', ...on, split: ';' },
        { kind: 'default', column: 'Segment', value: 'cold' },
        { kind: 'required', column: 'Segment', required: true },
        { kind: 'blank', words: ['n/a', '-'] },
      ),
    ).toBe(
      LEADS.replace('type: WORK }', "type: WORK, invalid: drop, split: ';' }")
        .replace('[trim, lower]\n', '[trim, lower]\n      default: cold\n      required: true\n')
        .replace('# the end', "blank: [n/a, '-']\n# the end"),
    );
    expect(
      edited(
        LEADS,
        { kind: 'default', column: 'Segment', value: 'x' },
        { kind: 'default', column: 'Segment', value: null },
      ),
    ).toBe(LEADS);
  });

  it('is the same for all rows', () => {
    expect(edited(LEADS, { kind: 'constant', target: 'timeZone', value: 'Europe/Moscow' })).toBe(
      LEADS.replace('UTC', 'Europe/Moscow'),
    );
    expect(edited(LEADS, { kind: 'constant', target: 'fields.offerId', value: 7 })).toBe(
      LEADS.replace('offerId: Offer ID', 'offerId: { value: 7 }'),
    );
  });
});

describe('the options of the source', () => {
  it('are set one by one and taken out', () => {
    const yaml = edited(LEADS, {
      ...{ kind: 'source', options: { sheet: 'Leads: 2', headerRow: 'none', delimiter: ';' } },
    });
    expect(parse(yaml)).toHaveProperty('source', {
      sheet: 'Leads: 2',
      headerRow: 'none',
      delimiter: ';',
    });
    expect(
      edited(yaml, { kind: 'source', options: { sheet: null, headerRow: null, delimiter: null } }),
    ).toBe(LEADS);
  });
});

describe('an edit that cannot be made', () => {
  it('of a text that is no YAML shows the mistakes with their lines', () => {
    const result = editMapping('client:\n  fields: [\n', { kind: 'blank', words: ['-'] });
    expect(result).toMatchObject({ mistakes: [{ line: 3 }] });
    expect(editMapping('- a\n', { kind: 'blank', words: ['-'] })).toMatchObject({
      mistakes: [{ line: 1 }],
    });
  });

  it('says why, and where', () => {
    const template = "client:\n  fields:\n    a: { template: '{X} {Y}' }\n";
    expect(refused(template, { kind: 'become', column: 'X', target: null })).toEqual({
      ...{ code: 'in_template', params: { column: 'X', path: 'client.fields.a' }, line: 3 },
    });
    expect(refused(LEADS, { kind: 'invalid', column: 'Nobody', invalid: 'drop' })).toMatchObject({
      code: 'not_used',
    });
    expect(
      refused('client: 5\n', { kind: 'become', column: 'X', target: 'fields.a' }),
    ).toMatchObject({
      ...{ code: 'not_a_section', params: { path: 'client' }, line: 1 },
    });
    expect(
      refused(LEADS, { kind: 'become', column: 'X', target: 'fields.__proto__' }),
    ).toMatchObject({
      code: 'reserved_name',
    });
  });
});

describe('the mappings of the samples', () => {
  it('are the same again after an edit and its opposite', async () => {
    for (const name of await readdir(MAPPINGS)) {
      if (!name.endsWith('.yaml') || name === 'installation.yaml') continue;
      const yaml = await readFile(join(MAPPINGS, name), 'utf8');
      const windows = yaml.replaceAll('\n', '\r\n');
      for (const text of [yaml, windows]) {
        const there = edited(text, { kind: 'become', column: 'New: one', target: 'fields.extra' });
        expect(there).not.toBe(text);
        expect(edited(there, { kind: 'become', column: 'New: one', target: null })).toBe(text);
      }
    }
  });
});

import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { editMapping, type MappingEdit } from '../../src/mapping/edit.js';
import { loadInstallation } from '../../src/installation/installation.js';
import { type Draft, draftOf } from '../../src/suggest/draft.js';

import { readForSuggestion } from '../../src/suggest/read-file.js';
import { mappingText, readTable, withoutStaleNotes } from '../../src/suggest/suggest.js';
import { root } from '../kit/cardline.js';

async function drafted(sample: string): Promise<Draft> {
  const installation = await loadInstallation(join(root, 'mappings/installation.yaml'));
  const { table, source } = await readForSuggestion(join(root, 'samples', sample), {});
  const read = readTable({ table, installation });
  return draftOf({ read, source, installation, mode: 'create' });
}

function edited(draft: Draft, edit: MappingEdit): string {
  const text = mappingText(draft);
  const result = editMapping(text, edit);
  if (!('yaml' in result)) throw new Error(JSON.stringify(result));
  return withoutStaleNotes(text, result.yaml, draft);
}

/** Comments of a text that another one lacks. */
const commentsGone = (from: string, to: string): string[] =>
  from
    .split('\n')
    .filter((line) => line.includes('#') && !to.split('\n').includes(line))
    .map((line) => line.slice(line.indexOf('#')));

describe('a draft that was edited', () => {
  let draft: Draft;
  let written: string;
  beforeAll(async () => {
    draft = await drafted('leads.csv');
    written = mappingText(draft);
  });

  it('loses the reason for a column that becomes something else, and no other comment', () => {
    const { length } = written.split('\n');
    const text = edited(draft, { kind: 'become', column: 'Other phones', target: null });
    expect(commentsGone(written, text)).toEqual([
      expect.stringMatching(/^# \d\.\d\d: 100 % of its cells are phone numbers$/),
    ]);
    expect(text.split('\n')).toHaveLength(length - 2);
  });

  it('keeps the reason where only what stands beside the column is changed', () => {
    const text = edited(draft, { kind: 'invalid', column: 'Mobile', invalid: 'drop' });
    expect(commentsGone(written, text)).toEqual([]);
  });

  it('no longer lists a column as left out that is used', () => {
    const text = edited(draft, { kind: 'become', column: 'Lead UUID', target: 'uuid' });
    expect(text).not.toContain('Columns that are left out');
    expect(text).not.toContain('#   Lead UUID');
  });

  it('no longer asks for a value of a map that is there', () => {
    const edit = { kind: 'mapValue', column: 'Segment', from: 'lukewarm', to: 'warm' } as const;
    const text = edited(draft, edit);
    expect(text).not.toContain('(cold, warm, hot)');
    expect(text).not.toContain('lukewarm: …');
    expect(text).toContain('do not call: …');
  });

  it('drops a reason behind a value', () => {
    const edit = { kind: 'become', column: 'Comment', target: 'clientRoleId' } as const;
    expect(edited(draft, edit)).toContain('clientRoleId: Comment\n');
  });

  it('no longer asks to fill in what is filled in', async () => {
    const open = await drafted('leads-1251.csv');
    expect(mappingText(open)).toContain('FILL IN');
    const column = 'Номер предложения';
    const text = edited(open, { kind: 'become', column, target: 'fields.offerId' });
    expect(text).not.toMatch(/FILL IN|Missing:|perhaps:/);
  });
});

it('keeps all comments of a mapping that was no draft', async () => {
  const yaml = 'client:\n  fields:\n    # 0.99: of my own\n    city: Town\n';
  const result = editMapping(yaml, { kind: 'become', column: 'Town', target: 'fields.comment' });
  const text = 'yaml' in result ? result.yaml : '';
  expect(withoutStaleNotes(yaml, text, await drafted('leads.csv'))).toBe(text);
});

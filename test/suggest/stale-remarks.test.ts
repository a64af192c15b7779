import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { suggestMapping } from '../../src/setup/suggest.js';
import { editMapping } from '../../src/mapping/edit/edit-mapping.js';
import type { MappingEdit } from '../../src/mapping/edit/edit.js';
import { withoutStaleRemarks } from '../../src/suggest/remarks/stale-remarks.js';
import { root } from '../helpers/cardline.js';

const draftOf = async (sample: string): Promise<string> => {
  const installation = join(root, 'mappings/installation.yaml');
  return (await suggestMapping({ file: join(root, 'samples', sample), installation })).mapping;
};

function edited(draft: string, edit: MappingEdit): string {
  const result = editMapping(draft, edit);
  if (!('yaml' in result)) throw new Error(JSON.stringify(result));
  return withoutStaleRemarks(draft, result.yaml);
}

/** Comments of a text that another one lacks. */
const commentsGone = (from: string, to: string): string[] =>
  from
    .split('\n')
    .filter((line) => line.includes('#') && !to.split('\n').includes(line))
    .map((line) => line.slice(line.indexOf('#')));

describe('a draft that was edited', () => {
  let draft: string;
  beforeAll(async () => {
    draft = await draftOf('leads.csv');
  });

  it('loses the reason for a column that becomes something else, and no other comment', () => {
    const { length } = draft.split('\n');
    const text = edited(draft, { kind: 'become', column: 'Other phones', target: null });
    expect(commentsGone(draft, text)).toEqual([
      expect.stringMatching(/^# \d\.\d\d: 100 % of its cells are phone numbers$/),
    ]);
    expect(text.split('\n')).toHaveLength(length - 2);
  });

  it('keeps the reason where only what stands beside the column is changed', () => {
    const text = edited(draft, { kind: 'invalid', column: 'Mobile', invalid: 'drop' });
    expect(commentsGone(draft, text)).toEqual([]);
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
    const open = await draftOf('leads-1251.csv');
    expect(open).toContain('FILL IN');
    const column = 'Номер предложения';
    const text = edited(open, { kind: 'become', column, target: 'fields.offerId' });
    expect(text).not.toMatch(/FILL IN|Missing:|perhaps:/);
  });
});

it('keeps all comments of a mapping that was no draft', () => {
  const yaml = 'client:\n  fields:\n    # 0.99: of my own\n    city: Town\n';
  const result = editMapping(yaml, { kind: 'become', column: 'Town', target: 'fields.comment' });
  const text = 'yaml' in result ? result.yaml : '';
  expect(withoutStaleRemarks(yaml, text)).toBe(text);
});

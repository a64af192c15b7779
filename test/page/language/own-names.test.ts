import { expect, it } from 'vitest';
import { sentenceIn } from '../../../src/web/server/language.js';

const LIST = '/home/me/My lists/cardline.lists/0123456789abcdef01';

it.each([
  [`${LIST}/file/leads.csv: the header was found in row 3.`, 'leads.csv: the header'],
  [`${LIST}/file/мои лиды.csv: the header was found in row 3.`, 'мои лиды.csv: the header'],
  [
    `line 3 of "${LIST}/corrections.jsonl" corrects this cell`,
    'line 3 of "corrections.jsonl" corrects',
  ],
  [
    String.raw`C:\Users\me\cardline.lists\0123456789abcdef01\file\leads.csv: the header`,
    'leads.csv: the header',
  ],
  ['/home/me/leads.csv: the header was found in row 3.', '/home/me/leads.csv: the header'],
  [
    `/home/me/dnc.csv: it changed, and ${LIST}/mapping.yaml names it`,
    '/home/me/dnc.csv: it changed, and mapping.yaml names it',
  ],
])('%s names no folder that the page keeps', (sentence, shown) => {
  expect(sentenceIn('en', sentence)).toContain(shown);
  expect(sentenceIn('ru', sentence)).not.toContain('cardline.lists');
});

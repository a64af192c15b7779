import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Bench, openBench } from './harness.js';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const MAPPING = `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields:
    offerId: Offer
    offerDomain: { value: shop.example }
    fullName: Name
  phones: [{ column: Mobile, type: MOB }]
`;

it.each([
  [
    'a blank behind each delimiter',
    ['Offer, Name, Mobile', '1, Ann Lee, 79161234561', '2, Bob, none'],
    { Offer: '2', Name: 'Bob', Mobile: 'none' },
  ],
  [
    'apostrophes for quotes',
    ['Offer,Name,Mobile', "'1','Ann, Lee','79161234561'", "'2','Bob, ''B'' Lee','none'"],
    { Offer: '2', Name: "Bob, 'B' Lee", Mobile: 'none' },
  ],
])('rejects of a file with %s have the cells of the run', async (_dialect, rows, cells) => {
  await bench.write('mapping.yaml', MAPPING);
  const run = await bench.import('run', [await bench.write('leads.csv', `${rows.join('\n')}\n`)]);
  expect(run.summary(), run.stderr).toMatchObject({ outcomes: { created: 1, rejected: 1 } });
  expect(run.rejects()).toMatchObject([cells]);
});

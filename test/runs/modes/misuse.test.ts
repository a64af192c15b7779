import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cardline, type Ended } from '../../kit/cardline.js';
import { useBench } from '../../kit/bench.js';
import { inProcess } from '../../commands/operations/harness.js';

const FIELDS = 'fields: { offerId: Offer, offerDomain: Site }';
const MAPPINGS: Readonly<Record<string, string>> = {
  any: `client:
  clientRoleId: { value: 1 }
  timeZone: { value: UTC }
  fields: { offerId: Offer, offerDomain: Site, fullName: Name }
  phones: [{ column: Phone, type: MOB }]
`,
  enqueue: `mode: enqueue\nclient: { ${FIELDS} }\n`,
  dequeue: `mode: dequeue\nclient: { ${FIELDS} }\n`,
  callbacks: `mode: callbacks
client: { ${FIELDS} }
callback:
  name: Name
  description: Name
  phone: Phone
  operatorId: Offer
  callAt: { value: '2095-01-01T10:00:00+03:00' }
  callAutomatically: true
`,
  update: `mode: update\nclient: { fields: { offerId: Offer, offerDomain: Site, fullName: Name } }\n`,
  contacts: `mode: contacts\nclient: { ${FIELDS}, phones: [{ column: Phone, active: false }] }\n`,
  rekey: `mode: rekey\nclientId: Offer\nclient: { ${FIELDS} }\n`,
  delete: `mode: delete\nclient: { ${FIELDS} }\n`,
};

const bench = useBench({ once: true });
let file: string;
beforeAll(async () => {
  file = await bench.write(
    'rows.csv',
    'Offer,Site,Name,Phone\n1,a.example.com,Ann,79161234567\n2,a.example.com,Ben,79161234568\n',
  );
  for (const [name, text] of Object.entries(MAPPINGS)) await bench.write(`${name}.yaml`, text);
});

let number = 0;
beforeEach(() => {
  number++;
});

const misused = (mapping: string, ...options: readonly string[]): Promise<Ended> => {
  const args = bench.args(`run-${number}`, [file], ['-m', bench.at(`${mapping}.yaml`), ...options]);
  return cardline(args, { env: bench.environment });
};

/** The command is refused with these words, and nothing was sent. */
async function refused(ended: Promise<Ended>, words: RegExp): Promise<void> {
  const seen = bench.center.requests.length;
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([64, expect.stringMatching(words)]);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(bench.center.requests).toHaveLength(seen);
}

describe('deleting', () => {
  it('is refused without --yes, by the mapping and by --mode', async () => {
    await refused(misused('delete'), /Mode delete deletes the client of every row.*--yes/);
    await refused(misused('any', '--mode', 'delete'), /--yes/);
    await refused(misused('delete', '--no-yes'), /--yes/);
  });
});

describe('a campaign', () => {
  it.each(['enqueue', 'dequeue', 'callbacks'])('is needed in mode %s', async (mode) => {
    await refused(misused(mode), new RegExp(`Mode ${mode} needs a campaign: give --campaign`));
  });

  it.each(['update', 'contacts', 'rekey', 'delete'])('is of no use in mode %s', async (mode) => {
    const more = mode === 'delete' ? ['--yes'] : [];
    const words = new RegExp(`Mode ${mode} has no use for a campaign; leave --campaign out`);
    await refused(misused(mode, '--campaign', '42', ...more), words);
  });

  it('that the mapping names is of no use there either', async () => {
    await bench.write('both.yaml', `${MAPPINGS['update'] ?? ''}campaign: { id: 42 }\n`);
    await refused(misused('both'), /mode update does not use campaign/);
  });
});

describe('a mode', () => {
  it.each([
    ['upsrt', /but got "upsrt"\. Did you mean upsert\?/],
    ['enque', /Did you mean enqueue\?/],
    ['Create', /Did you mean create\?/],
    ['', /--mode takes one of "create", "upsert",/],
  ])('that is none ("%s") brings the one that was meant', async (mode, words) => {
    const args = ['import', file, '-m', bench.at('any.yaml'), '-i', bench.at('center.yaml')];
    await refused(inProcess([...args, '--mode', mode]), words);
  });

  it('that is none in the mapping, too', async () => {
    await bench.write('wrong.yaml', `mode: callback\n${MAPPINGS['any'] ?? ''}`);
    await refused(misused('wrong'), /Did you mean "callbacks"\?/);
  });

  it('for which the mapping lacks something is refused, and it is told what', async () => {
    await refused(misused('any', '--mode', 'callbacks', '--campaign', '42'), /needs callback/);
    await refused(misused('any', '--mode', 'rekey'), /needs clientId/);
  });
});

describe('recovery', () => {
  it.each(['update', 'enqueue', 'delete'])('is of no use in mode %s', async (mode) => {
    const more = mode === 'delete' ? ['--yes'] : [];
    const words = new RegExp(`Mode ${mode} creates no clients, so there is nothing to recover`);
    await refused(misused(mode, '--recovery', ...more), words);
  });
});

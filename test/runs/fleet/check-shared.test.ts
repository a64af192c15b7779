import { expect, it } from 'vitest';
import { checkShared } from '../../../src/run/import.js';
import { installationSchema } from '../../../src/installation/installation.js';

const REQUEST = {
  ...{ files: ['leads.csv'], mapping: 'leads.yaml', installation: 'center.yaml' },
  ...{ shared: true, ledger: 'postgres://me@db.example/calls' },
};
const check = (headers: Record<string, string>, proxy?: string): void => {
  const installation = installationSchema.parse({
    ...{ name: 'demo', baseUrl: 'https://center.example', headers },
    card: { offerId: { type: 'Number', sync: true } },
    transport: proxy === undefined ? {} : { proxy },
  });
  checkShared(REQUEST, installation, false);
};

it.each([
  { what: 'The header X-Api-Key', headers: { 'X-Api-Key': 'abc' } },
  { what: 'The header X-Password', headers: { 'X-Password': 'abc' } },
  { what: 'The proxy', headers: {}, proxy: 'http://me:abc@proxy.example:3128' },
])('$what is not shared with its secret as text', ({ what, headers, proxy }) => {
  expect(() => check(headers, proxy)).toThrow(
    `${what} of the installation holds its secret as text`,
  );
});

it('placeholders of secrets are shared', () => {
  check({ Authorization: 'Bearer ${TOKEN}', 'X-Client': 'crm' }, 'http://me:${PASS}@proxy.example');
  check({}, 'http://proxy.example:3128');
});

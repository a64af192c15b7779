import { expect, it } from 'vitest';
import { placeSettings, wasInSandbox } from '../../src/run/settings.js';

it.each([
  ['the address of the installation', undefined, false],
  ['a sandbox on this machine', 'http://127.0.0.1:40123', true],
  ['a sandbox on this machine, by name', 'http://localhost:8080', true],
  ['another contact center', 'https://test.cc.example.com', false],
])('a run at %s', (_, baseUrl, isSandbox) => {
  const options = { installation: 'cc.yaml', ...(baseUrl === undefined ? {} : { baseUrl }) };
  expect(wasInSandbox(placeSettings(options))).toBe(isSandbox);
});

it('of which another version kept nothing may have been anywhere', () => {
  expect(wasInSandbox({})).toBeUndefined();
});

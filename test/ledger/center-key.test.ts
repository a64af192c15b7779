import { describe, expect, it } from 'vitest';
import { centerKey, centerName } from '../../src/core/client.js';

describe('a contact center', () => {
  it.each([
    ['another name', 'Team B: calls http://cc.example/api offerId offerDomain'],
    ['no case in its host', 'calls HTTP://CC.Example/api offerId offerDomain'],
    ['the usual port', 'calls http://cc.example:80/api/ offerId offerDomain'],
    ['its identifiers in another order', 'calls http://cc.example/api offerDomain offerId'],
  ])('is the same with %s', (_what, text) => {
    expect(centerKey(text)).toBe(centerKey('calls http://cc.example/api offerId offerDomain'));
  });

  it.each([
    'calls http://cc.example/other offerId offerDomain',
    'calls http://cc.example:8080/api offerId offerDomain',
    'calls https://cc.example/api offerId offerDomain',
    'calls http://cc.example/api offerId',
    'calls another address offerId offerDomain',
  ])('is another one as %s', (text) => {
    expect(centerKey(text)).not.toBe(centerKey('calls http://cc.example/api offerId offerDomain'));
  });

  it('has a name for people', () => {
    expect(centerName('Team B: calls http://cc.example/api offerId')).toBe('Team B: calls');
    expect(centerName('calls another address offerId')).toBe('calls');
  });
});

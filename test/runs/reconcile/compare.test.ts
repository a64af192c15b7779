import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Expected,
  type Found,
  compare,
  type FieldRule,
  normalForm,
} from '../../../src/run/reconcile.js';

const number: FieldRule = { type: 'Number', ignoreCase: false };
const text: FieldRule = { type: 'text', ignoreCase: false };
const caseless: FieldRule = { type: 'text', ignoreCase: true };

describe('normalForm', () => {
  it.each([
    [7, '7', number],
    ['007', 7, number],
    ['1.50', 1.5, number],
    ['-0', 0, number],
    ['+7', '7', number],
    ['12345678901234567890', '12345678901234567890.0', number],
    ['Анна  Иванова ', 'Анна Иванова', text],
    ['Cold', 'cold', caseless],
    ['2026-11-20', '2026-11-20T00:00:00', text],
    ['20.11.2026', '2026-11-20', text],
    ['20.11.2026 10:30', '2026-11-20T10:30:00', text],
    [null, '', text],
    [true, 'true', text],
    ['é', 'é', text],
  ] as const)('takes %j and %j for the same', (a, b, rule) => {
    expect(normalForm(a, rule)).toBe(normalForm(b, rule));
  });

  it.each([
    ['12345678901234567890', '12345678901234567891', number],
    ['1', '-1', number],
    ['007', '7', text],
    ['Cold', 'cold', text],
    ['2026-11-20', '2026-11-20T10:00:00', text],
    ['a', '', text],
  ] as const)('tells %j from %j', (a, b, rule) => {
    expect(normalForm(a, rule)).not.toBe(normalForm(b, rule));
  });

  it('gives a form that stays as it is', () => {
    const rule = fc.constantFrom(number, text, caseless);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double({ noNaN: true })), rule, (value, how) => {
        const once = normalForm(value, how);
        expect(normalForm(once, how)).toBe(once);
      }),
    );
  });
});

const card = { id: 5, fields: { fullName: 'Anna', offerId: 7, budget: 10 } };
const application = {
  campaignId: 42,
  hasRecall: false,
  status: 'NONE',
  calledCount: 0,
  nextCall: 1,
};
const whole: Found = { card, applications: [application] };

describe('compare', () => {
  const verdictOf = (expected: Partial<Expected>, found: Found): string =>
    compare({ fields: {}, campaignId: null, ...expected }, found, { budget: number }).verdict;

  it('finds what is as it should be', () => {
    expect(verdictOf({ fields: { fullName: 'Anna', budget: '10.0' } }, whole)).toBe('match');
    expect(verdictOf({ campaignId: 42, clientId: 5 }, whole)).toBe('match');
  });

  it('finds no card', () => {
    expect(verdictOf({ campaignId: 42 }, { card: null, applications: [] })).toBe('missing');
  });

  it('tells both values of what differs', () => {
    const expected = { fields: { fullName: 'Anne', budget: 10 }, campaignId: 42 };
    expect(compare(expected, whole, {})).toEqual({
      verdict: 'different',
      clientId: 5,
      differences: [{ field: 'fullName', sheet: 'Anne', center: 'Anna' }],
      application,
    });
  });

  it('tells a card that is another one than before', () => {
    expect(verdictOf({ clientId: 6 }, whole)).toBe('different');
  });

  it('finds who is outside the campaign, also when something differs', () => {
    const outside = { card, applications: [{ ...application, campaignId: 43 }] };
    expect(verdictOf({ campaignId: 42 }, outside)).toBe('not_in_campaign');
    const both = compare({ fields: { fullName: 'x' }, campaignId: 42 }, outside, {});
    expect(both).toMatchObject({ verdict: 'different', application: null });
    expect(both.remark).toMatch(/not in the campaign/);
  });

  it('finds what should be gone', () => {
    const nobody = { card: null, applications: [] };
    expect(verdictOf({ gone: 'card' }, nobody)).toBe('match');
    expect(verdictOf({ gone: 'card' }, whole)).toBe('different');
    expect(verdictOf({ gone: 'application', campaignId: 42 }, whole)).toBe('different');
    expect(verdictOf({ gone: 'application', campaignId: 43 }, whole)).toBe('match');
  });
});

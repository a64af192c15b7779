import { describe, expect, it } from 'vitest';
import { compareWindow, parseWeek } from '../../../src/calling/hours.js';

const week = (written: Record<string, string | string[]>) => parseWeek(written, () => undefined);
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'];
const window = (from: string, to: string, weekDays: string[] | null = WEEKDAYS) => ({
  ...{ limitTimeCalls: true, startCallsTime: from, endCallsTime: to, weekDays },
});
const compared = (campaign: object, hours: Record<string, string | string[]>): string[] =>
  compareWindow('Campaign 42', campaign, week(hours));

describe('the window of a campaign', () => {
  it('is within the hours', () => {
    expect(compared(window('09:00', '20:00'), { 'Mon-Fri': '09:00-20:00' })).toEqual([]);
    expect(compared(window('10:00', '18:00', null), { 'Mon-Sun': '09:00-20:00' })).toEqual([]);
  });

  it.each([
    [
      window('09:00', '22:00'),
      { 'Mon-Fri': '09:00-20:00' },
      "Campaign 42 calls until 22:00 in the client's zone; callable allows 20:00.",
    ],
    [
      window('08:00', '20:00'),
      { 'Mon-Fri': '09:00-20:00', Sat: '10:00-18:00' },
      "Campaign 42 calls from 08:00 in the client's zone; callable allows 09:00.",
    ],
    [
      window('10:00', '20:00', [...WEEKDAYS, 'Sat']),
      { 'Mon-Fri': '09:00-20:00', Sat: '10:00-18:00' },
      "Campaign 42 calls until 20:00 in the client's zone; callable allows 18:00 on Sat.",
    ],
    [
      window('09:00', '18:00', null),
      { 'Mon-Fri': '09:00-20:00' },
      'Campaign 42 calls on Sat, Sun; callable does not.',
    ],
    [
      window('10:00', '20:00'),
      { 'Mon-Fri': ['10:00-13:00', '14:00-20:00'] },
      "Campaign 42 calls from 13:00 to 14:00 in the client's zone; callable allows a break at that time.",
    ],
    [
      window('21:00', '23:00'),
      { 'Mon-Fri': '09:00-20:00' },
      "Campaign 42 calls from 21:00 to 23:00 in the client's zone; callable allows 09:00-20:00.",
    ],
    [
      { limitTimeCalls: null },
      { 'Mon-Fri': '09:00-20:00', Sat: '10:00-18:00' },
      "Campaign 42 does not limit its calls by the client's time zone (limitTimeCalls); callable allows Mon-Fri 09:00-20:00, Sat 10:00-18:00.",
    ],
    [
      { ...window('09:00', '20:00'), disableLimitForFirstCall: true },
      { 'Mon-Fri': '09:00-20:00' },
      'Campaign 42 makes the first call to a client at any time (disableLimitForFirstCall).',
    ],
    [
      window('nine', '20:00'),
      { 'Mon-Fri': '09:00-20:00' },
      'The hours of Campaign 42 cannot be understood, and were not compared.',
    ],
  ])('is said to go beyond them: %#', (campaign, hours, message) => {
    expect(compared(campaign, hours)).toEqual([message]);
  });

  it('goes over midnight', () => {
    expect(compared(window('20:00', '02:00'), { 'Mon-Fri': '09:00-22:00' })).toEqual([
      "Campaign 42 calls from 00:00 to 02:00 in the client's zone; callable allows 09:00-22:00.",
      "Campaign 42 calls until 24:00 in the client's zone; callable allows 22:00.",
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { Sessions } from '../../../src/web/server/sessions.js';

const PATH = '/api/runs/a/files/report.csv';

describe('a ticket', () => {
  it('is good for one download', () => {
    const sessions = new Sessions();
    const ticket = sessions.ticketFor(PATH);
    expect(sessions.redeem(ticket, PATH)).toBe(true);
    expect(sessions.redeem(ticket, PATH)).toBe(false);
  });

  it('is good for no other path, and is used up by trying', () => {
    const sessions = new Sessions();
    const ticket = sessions.ticketFor(PATH);
    expect(sessions.redeem(ticket, '/api/runs/b/files/report.csv')).toBe(false);
    expect(sessions.redeem(ticket, PATH)).toBe(false);
  });

  it('is good for a minute', () => {
    const sessions = new Sessions();
    const now = Date.now();
    expect(sessions.redeem(sessions.ticketFor(PATH, now), PATH, now + 60_001)).toBe(false);
    expect(sessions.redeem(sessions.ticketFor(PATH, now), PATH, now + 59_999)).toBe(true);
  });
});

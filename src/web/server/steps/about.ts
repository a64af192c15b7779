import { stat } from 'node:fs/promises';
import type { aboutRoutes } from '../../shared/about.js';
import type { Handlers } from '../handler.js';
import { Refusal } from '../refusal.js';
import type { Sessions } from '../sessions.js';
import type { Sample } from '../settings.js';

export const aboutHandlers = (sessions: Sessions): Handlers<keyof typeof aboutRoutes> => ({
  'POST /api/session': ({ body }) => {
    const session = sessions.open(body.token);
    if (session === undefined) throw oldAddress();
    return Promise.resolve({ session });
  },
  'GET /api/about': async (_asked, { site: { settings } }) => {
    const { version, readOnly, mask, open = null, center, setup } = settings;
    const samples = await Promise.all(settings.samples.map(offered));
    const file = center ? null : (setup?.file ?? null);
    return { version, readOnly, mask, open, center: center ?? null, samples, setup: file };
  },
  'GET /api/alive': () => Promise.resolve({ alive: true }),
  'POST /api/tickets': ({ body }) => Promise.resolve({ ticket: sessions.ticketFor(body.path) }),
});

const offered = async ({ name, path }: Sample) => ({ name, bytes: (await stat(path)).size });

const oldAddress = (): Refusal =>
  new Refusal(401, {
    code: 'old_address',
    sentence: 'This address is from an earlier start of cardline.',
    next: 'Open the address that "cardline ui" has printed.',
  });

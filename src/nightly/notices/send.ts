import { postNotice } from './webhook.js';
import type { Send } from './outbox.js';

/** Sends a notice the way its target takes it. */
export const sendNotice: Send = async (target, notice, signal) => {
  if (target.to === 'webhook') return postNotice(target, notice, Date.now(), signal);
  const { mailNotice } = await import('./email.js');
  return mailNotice(target, notice);
};

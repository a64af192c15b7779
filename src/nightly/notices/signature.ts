import { createHmac } from 'node:crypto';

/**
 * The signature of a webhook: `t=<seconds>,v1=<hex>`, HMAC-SHA256 over `<seconds>.<body>`. The receiver computes the
 * same, compares without early exit, and refuses what is older than some minutes.
 */
export function signature(body: string, secret: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

import { LEDGER_SCHEMA } from '../schema.js';

const S = LEDGER_SCHEMA;

/** Whether a piece (`p`) has to wait until earlier ones of its run have ended. */
export const WAITING = `(p.waits AND EXISTS (
  SELECT FROM ${S}.piece e WHERE e.run = p.run AND e.number < p.number AND e.outcomes IS NULL
))`;

/** When nothing of the pieces before a piece that waits (`p`) can arrive any more. */
export const SETTLED = `CASE WHEN p.waits THEN (
  SELECT max(e.settled) FROM ${S}.piece e WHERE e.run = p.run AND e.number < p.number
) END`;

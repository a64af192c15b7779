import type { PreparedClients } from '../../core/prepared.js';
import { identifiersOf } from '../../core/prepared.js';
import { startOf } from '../batch/batch.js';
import type { Subject } from './rule.js';

/** What a member of a batch is identified by, and what its row asks for. */
export function subjectOf(clients: PreparedClients, index: number): Subject {
  const { buffer, byteOffset } = clients.payload;
  const [from, to] = [startOf(clients, index), clients.ends[index] ?? 0];
  // A third of the time of a TextDecoder, for texts as short as these.
  const payload = Buffer.from(buffer, byteOffset + from, to - from).toString();
  return { identifiers: identifiersOf(clients, index), payload };
}

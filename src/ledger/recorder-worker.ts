import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { asLedgerError, openDatabase } from './database.js';
import type { RecordAnswer, RecordMessage } from './recorder-thread.js';
import { writerOf } from './write-facts.js';

/** The recording thread: whatever has arrived while the disk was busy goes into the next transaction. */
const port = parentPort;
if (!port) throw new Error('This file is the start of a thread.');

const file = String(workerData);
const database = openDatabase(file);
const write = writerOf(database);

/** After a failed write nothing is written any more: what was to follow stands on what is missing. */
let broken: string | undefined;

const answer = (message: RecordAnswer): void => {
  port.postMessage(message);
};

port.on('message', (first: RecordMessage | 'close') => {
  const messages = [first, ...waitingMessages()];
  const records = messages.filter((message) => message !== 'close');
  const last = records.at(-1);
  if (last) answer(broken === undefined ? tryToWrite(records, last.number) : { error: broken });
  if (records.length < messages.length) {
    database.close();
    port.close();
  }
});

function tryToWrite(records: readonly RecordMessage[], written: number): RecordAnswer {
  try {
    write(records.flatMap(({ facts }) => facts));
    return { written };
  } catch (error) {
    broken = asLedgerError(error, file).message;
    return { error: broken };
  }
}

function* waitingMessages(): Generator<RecordMessage | 'close', void, undefined> {
  if (!port) return;
  for (;;) {
    const received = receiveMessageOnPort(port) as { message: RecordMessage | 'close' } | undefined;
    if (!received) return;
    yield received.message;
  }
}

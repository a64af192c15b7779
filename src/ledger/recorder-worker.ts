import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import {
  type FactWriter,
  type RecordAnswer,
  type RecordError,
  type RecordMessage,
  writerOf,
} from './recorder.js';
import { asLedgerError, openDatabase } from './sqlite.js';
import { marksBeside } from './sqlite-files.js';

/** The recording thread: whatever has arrived while the disk was busy goes into the next transaction. */
const port = parentPort;
if (!port) throw new Error('This file is the start of a thread.');

const file = String(workerData);
const { write, close } = open();

/** After a failed write nothing is written any more: what was to follow stands on what is missing. */
let broken: RecordError | undefined;

const answer = (message: RecordAnswer): void => {
  port.postMessage(message);
};
answer('started');

port.on('message', (first: RecordMessage | 'close') => {
  const messages = [first, ...waitingMessages()];
  const records = messages.filter((message) => message !== 'close');
  const last = records.at(-1);
  if (last) answer(broken === undefined ? tryToWrite(records, last.number) : { error: broken });
  if (records.length < messages.length) {
    close();
    port.close();
  }
});

/** What cannot be opened cannot be written either: whoever records first gets the reason. */
function open(): FactWriter {
  try {
    const database = openDatabase(file);
    const writer = writerOf(database, marksBeside(file));
    return {
      write: writer.write,
      close: () => {
        writer.close();
        database.close();
      },
    };
  } catch (error) {
    const write = (): never => {
      throw error;
    };
    return { write, close: () => undefined };
  }
}

function tryToWrite(records: readonly RecordMessage[], written: number): RecordAnswer {
  try {
    write(records.flatMap(({ facts }) => facts));
    return { written };
  } catch (error) {
    const { message, saysHowToContinue } = asLedgerError(error, file);
    broken = { message, saysHowToContinue };
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

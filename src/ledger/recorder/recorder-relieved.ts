import type { Recorder } from './recorder.js';

/** A recorder that takes its time to begin. */
export interface SlowStarter extends Recorder {
  /** Resolves when it records at once what it is given, or shows at once that it cannot. */
  readonly started: Promise<void>;
}

/** A run that records less is over before a thread is of use. */
const RECORDS_HERE = 8;

/**
 * Records `here` at first, so that the first request does not wait for a thread to start, and small runs need none.
 * Where there is more to record, `relief` is called for it, and takes over once it has started.
 */
export function createRelievedRecorder(here: Recorder, relief: () => SlowStarter): Recorder {
  let thread: SlowStarter | undefined;
  let [hasStarted, recorded, underWay, failed] = [false, 0, 0, false];

  const call = (): void => {
    thread = relief();
    void thread.started.then(() => (hasStarted = true));
  };
  const recordHere = async (...given: Parameters<Recorder['record']>): Promise<void> => {
    underWay++;
    try {
      await here.record(...given);
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      underWay--;
    }
    if (++recorded === RECORDS_HERE) call();
  };

  return {
    record: (...given) =>
      // Facts stay in order: nothing is handed over while something is being recorded here. Nor after a failure.
      thread && hasStarted && underWay === 0 && !failed
        ? thread.record(...given)
        : recordHere(...given),
    close: async () => {
      await here.close();
      await thread?.close();
    },
  };
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a measured process: leaves its peak memory and processor time behind when it ends, and where the system
 * tells it (Linux) that of the main thread alone.
 */
const file = process.env.BENCH_USAGE;
const MAIN_THREAD = `/proc/self/task/${process.pid}/schedstat`;
const mainSeconds = () =>
  existsSync(MAIN_THREAD) ? Number(readFileSync(MAIN_THREAD, 'utf8').split(' ')[0]) / 1e9 : null;

if (isMainThread && file)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(
      file,
      JSON.stringify({
        megabytes: maxRSS / 1024,
        cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
        mainSeconds: mainSeconds(),
      }),
    );
  });

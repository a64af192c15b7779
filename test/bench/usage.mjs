import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a measured process: leaves its peak memory and processor time behind when it ends. */
const file = process.env.BENCH_USAGE;
if (isMainThread && file)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(
      file,
      JSON.stringify({ megabytes: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }),
    );
  });

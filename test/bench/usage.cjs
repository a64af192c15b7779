const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

/**
 * Loaded into a measured process: leaves its peak memory and processor time behind when it ends, and where the system
 * tells it (Linux) that of the main thread alone. Every thread loads it: an ES module would start the loader of such
 * modules in each, which the measured program does not, and would be measured with it.
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

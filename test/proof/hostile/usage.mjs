import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a measured process: leaves its processor time and peak memory behind when it ends. */
const file = process.env.HOSTILE_USAGE;
if (isMainThread && file)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeFileSync(
      file,
      JSON.stringify({
        cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
        megabytes: (peakKilobytes() ?? maxRSS) / 1024,
      }),
    );
  });

/** Of this program alone: what the system counts otherwise begins with the process that it was forked from. */
function peakKilobytes() {
  if (process.platform !== 'linux') return undefined;
  const line = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return line === null ? undefined : Number(line[1]);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a measured process: leaves its peak memory behind when it ends. */
const file = process.env.HOSTILE_USAGE;
if (isMainThread && file)
  process.on('exit', () => {
    const kilobytes = peakKilobytes() ?? process.resourceUsage().maxRSS;
    writeFileSync(file, JSON.stringify({ megabytes: kilobytes / 1024 }));
  });

/** Of this program alone: what the system counts otherwise begins with the process that it was forked from. */
function peakKilobytes() {
  if (process.platform !== 'linux') return undefined;
  const line = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return line === null ? undefined : Number(line[1]);
}

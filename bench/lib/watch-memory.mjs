import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_INTERVAL_MS = 1_000;
const MIB = 1024 * 1024;

/**
 * Samples the resident memory of a system's Node processes, which it finds by their data directory. Linux only.
 * @param {string} folder the data directory
 * @returns {{ stop: () => { name: string, mib: number } }} `stop` returns the process that had the most, and how much
 */
export function watchMemory(folder) {
  const peak = { name: 'none', mib: 0 };
  const sample = () => {
    for (const { name, bytes } of listProcesses(folder)) {
      if (bytes / MIB > peak.mib) Object.assign(peak, { name, mib: bytes / MIB });
    }
  };
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return peak;
    },
  };
}

/**
 * Lists the Node processes of a system with their resident memory. Linux only.
 * @param {string} folder the data directory
 * @returns {{ name: string, bytes: number }[]}
 */
export function listProcesses(folder) {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        if (!command[0]?.endsWith('node') || !readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder)) return [];
        const kibibytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        const name = /(?:apps|scripts)\/([\w/-]+)/.exec(command.join(' '))?.[1]?.split('/')[0] ?? command.join(' ');
        return [{ name, bytes: Number(kibibytes ?? 0) * 1024 }];
      } catch {
        return []; // The process ended meanwhile.
      }
    });
}

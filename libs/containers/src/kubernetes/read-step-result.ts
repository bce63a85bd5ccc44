import type { CommandExit } from '@millrace/isolation/slot/running-command';
import { endedByFileSize, SIGNAL_BASE, signalName } from '@millrace/isolation/slot/signals';

/**
 * Reads the line that collect-outputs.sh prints: `<exit code>|<output of busybox time, or of times>`. The step could write these
 * files itself, so nothing but numbers is accepted.
 * @returns null if the step has not ended in the way that run-step.sh reports
 */
export function readStepResult(line: string): CommandExit | null {
  const [, status, usage = ''] = /^(\d{1,3})\|(.*)$/s.exec(line) ?? [];
  if (status === undefined) return null;
  const code = Number(status);
  const signal = findSignal(code, usage);
  return {
    code: signal === null ? code : null,
    signal: signal === null ? null : signalName(signal),
    ...readUsage(usage),
    killReason: endedByFileSize(code, signal) ? 'fileSize' : null,
  };
}

/** busybox exits with the number of the signal itself, and prints a sentence. If it was killed as well, it has printed nothing. */
function findSignal(code: number, usage: string): number | null {
  const reported = /terminated by signal (\d+)/.exec(usage)?.[1];
  if (reported !== undefined) return Number(reported);
  const wasKilled = usage.trim() === '' || TIMES.test(usage);
  return wasKilled && code > SIGNAL_BASE ? code - SIGNAL_BASE : null;
}

/** Output of `times` of a shell: user and system, of itself and then of the processes that it has waited for. */
const TIMES = /^(?:\d+m\d+\.\d+s\s+){2}(\d+)m(\d+\.\d+)s (\d+)m(\d+\.\d+)s\s*$/;

/**
 * From `times`: the CPU time alone. From `time`: seconds of user and system, size, and size of a page. busybox takes `ru_maxrss`
 * for a number of pages, although it is one of KiB, and multiplies it by the size of a page (miscutils/time.c, `ptok`); this
 * undoes it.
 */
function readUsage(usage: string): { cpuMs: number; maxRssBytes: number } {
  const times = TIMES.exec(usage)?.slice(1).map(Number);
  if (times) {
    const [userMinutes = 0, userSeconds = 0, systemMinutes = 0, systemSeconds = 0] = times;
    const seconds = 60 * (userMinutes + systemMinutes) + userSeconds + systemSeconds;
    return { cpuMs: Math.round(seconds * 1000), maxRssBytes: 0 };
  }
  const [, user, system, size, pageBytes] = /(\d+\.\d+) (\d+\.\d+) (\d+) (\d+)\s*$/.exec(usage) ?? [];
  if (pageBytes === undefined) return { cpuMs: 0, maxRssBytes: 0 };
  const kib = Number(size) / (Number(pageBytes) / 1024);
  return { cpuMs: Math.round((Number(user) + Number(system)) * 1000), maxRssBytes: Math.round(kib * 1024) };
}

import { constants } from 'node:os';
import type { CommandExit, KillReason } from '@millrace/isolation/slot/running-command';
import { endedByFileSize, SIGNAL_BASE } from '@millrace/isolation/slot/signals';
import type { CommandState } from '@millrace/isolation/slot/slot-states';

type Usage = Pick<CommandExit, 'cpuMs' | 'maxRssBytes'>;

const { SIGTERM, SIGKILL } = constants.signals;

export interface Ending {
  /** State of the command when its container ended. */
  state: CommandState;
  ranOutOfMemory: boolean;
  printedTooMuch: boolean;
}

/** @param code status of the container */
export function toExit(code: number, usage: Usage, ending: Ending): CommandExit {
  const signal = findSignal(code, ending.state);
  const killReason = code === 0 && !ending.printedTooMuch ? null : findKillReason(code, ending);
  return { ...usage, code: signal === null ? code : null, signal, killReason };
}

/** A command that was stopped before it ran. */
export const stoppedExit = (): CommandExit => {
  return { code: null, signal: 'SIGTERM', cpuMs: 0, maxRssBytes: 0, killReason: null };
};

/** A container whose daemon no longer responds, or that does not end. */
export const lostExit = (usage: Usage): CommandExit => {
  return { ...usage, code: null, signal: 'SIGKILL', killReason: 'lost' };
};

/** The signal that ended the command, if this process has sent it: other signals look like an exit code. */
function findSignal(code: number, state: CommandState): string | null {
  if (state === 'terminating' && code === SIGNAL_BASE + SIGTERM) return 'SIGTERM';
  if (state === 'killing' && code === SIGNAL_BASE + SIGKILL) return 'SIGKILL';
  if (state === 'killing' && code === SIGNAL_BASE + SIGTERM) return 'SIGTERM';
  return null;
}

function findKillReason(code: number, { ranOutOfMemory, printedTooMuch }: Ending): KillReason | null {
  if (printedTooMuch || endedByFileSize(code, null)) return 'fileSize';
  return ranOutOfMemory ? 'memory' : null;
}

/** The message of tini, the first process of a container, about a program that it cannot execute. */
const EXEC_FAILURE = /^\[FATAL tini \(\d+\)\] exec (.+) failed: (.+)$/m;
const EXEC_FAILURE_CODES = [126, 127];

/** @returns the message as that of a sandbox, `cannot run <program>: <reason>`; null if the program was executed */
export function describeExecFailure(code: number, stderr: string): string | null {
  const [, program, reason] = (EXEC_FAILURE_CODES.includes(code) && EXEC_FAILURE.exec(stderr)) || [];
  return program === undefined ? null : `cannot run ${program}: ${reason}`;
}

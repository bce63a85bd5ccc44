import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Interpreters of scripts, and programs that many tools need. */
const PROGRAMS = ['bash', 'python3', 'node', 'go', 'git', 'jq', 'curl', 'nmap', 'openssl', 'zip', 'nvidia-smi'];

/** The folders of programs that steps see, in a sandbox or without one. */
const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

/** The programs that this machine has, for operators who compare workers. Runs nothing. */
export const findPrograms = (): string[] =>
  PROGRAMS.filter((program) => FOLDERS.some((folder) => isExecutable(join(folder, program))));

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

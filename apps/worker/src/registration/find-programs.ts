import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Interpreters of scripts, and programs that many tools need. */
const PROGRAMS = [
  'bash',
  'python3',
  'node',
  'go',
  'git',
  'jq',
  'curl',
  'nmap',
  'openssl',
  'zip',
  'docker',
  'nvidia-smi',
];

/** The programs that this machine has, for operators who compare workers. Looks into the folders of PATH; runs nothing. */
export function findPrograms(path = process.env['PATH'] ?? ''): string[] {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return PROGRAMS.filter((program) => folders.some((folder) => isExecutable(join(folder, program))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

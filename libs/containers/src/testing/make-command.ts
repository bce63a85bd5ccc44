import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '@millrace/isolation/limits/limits';
import type { ContainerCommand } from '../container-executor.js';
import { TOOL_IMAGE } from './stub-images.js';

const folders: string[] = [];

/** A command of the shell with the folders of a slot. */
export function makeCommand(script: string, changes: Partial<ContainerCommand> = {}): ContainerCommand {
  const base = mkdtempSync(join(tmpdir(), 'millrace-command-'));
  folders.push(base);
  const work = join(base, 'work');
  const paths = { work, input: join(base, 'in'), output: join(work, 'out'), step: join(base, 'step') };
  for (const folder of [paths.input, join(work, 'in'), paths.output, paths.step])
    mkdirSync(folder, { recursive: true });
  return {
    argv: ['sh', '-c', script],
    env: { HOME: '/tmp', USER: 'step' },
    image: TOOL_IMAGE,
    folders: paths,
    uid: 12_345,
    network: false,
    memoryBytes: 2 ** 30,
    limits: DEFAULT_LIMITS,
    ...changes,
  };
}

export function removeCommands(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

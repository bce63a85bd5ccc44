import { chmodSync, chownSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { wipeFolder } from './wipe-folder.js';

/** Folders of a slot, as this process sees them; `output` lies in `work`. */
export interface SlotPaths {
  work: string;
  input: string;
  output: string;
  step: string;
}

/** Lets a user write to the folders that commands may write to; null where commands are who this process is. */
export function chownFolders({ work, output, step }: SlotPaths, user: number | null, workspace?: string): void {
  if (user === null) return;
  const own = workspace === undefined ? [] : [workspace];
  for (const folder of [work, join(work, 'in'), output, step, ...own]) chownSync(folder, user, user);
}

/** Gives folders of commands without a sandbox to their user alone: others on this machine, of other slots too, see nothing. */
export function makeFoldersPrivate(folders: readonly string[], user: number | null): void {
  if (user === null) return;
  for (const folder of folders) {
    chownSync(folder, user, user);
    chmodSync(folder, 0o700);
  }
}

/** What a command can leave on a folder besides its content (mode, owner, lists of access, attributes) goes with the folder. */
export async function recreateFolders(folders: SlotPaths, user: number | null): Promise<void> {
  const { work, output, step } = folders;
  for (const folder of [work, step]) {
    await wipeFolder(folder);
    rmdirSync(folder);
    mkdirSync(folder);
  }
  mkdirSync(join(work, 'in'));
  mkdirSync(output);
  chownFolders(folders, user);
}

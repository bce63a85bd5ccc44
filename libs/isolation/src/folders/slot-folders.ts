import { chmodSync, chownSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { wipeFolder } from './wipe-folder.js';

/** Absolute paths of a slot's folders, as this process sees them. `output` is below `work`. */
export interface SlotPaths {
  work: string;
  input: string;
  output: string;
  step: string;
}

/** Makes the user of commands the owner of the folders that they write to. Does nothing if that is the user of this process. */
export function chownFolders({ work, output, step }: SlotPaths, user: number | null, workspace?: string): void {
  if (user === null) return;
  const own = workspace === undefined ? [] : [workspace];
  for (const folder of [work, join(work, 'in'), output, step, ...own]) chownSync(folder, user, user);
}

/** Closes the folders of commands without a sandbox to all other users of this machine, including those of other slots. */
export function makeFoldersPrivate(folders: readonly string[], user: number | null): void {
  if (user === null) return;
  for (const folder of folders) {
    chownSync(folder, user, user);
    chmodSync(folder, 0o700);
  }
}

/** Replaces folders, which removes everything that a command can leave on them: mode, owner, access control lists, attributes. */
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

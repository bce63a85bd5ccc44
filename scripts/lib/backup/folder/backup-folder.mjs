import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../report.mjs';
import { isBackup, layoutOf } from './manifest.mjs';

/** A backup is a folder with the time at which it was started: 2026-11-27T10-15-03Z. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
const UNFINISHED = '.unfinished';
const PROBLEMS = 'problems.txt';

/**
 * The finished backups in a folder, oldest first, and what interrupted backups left.
 * @param {string} folder
 */
export function listBackups(folder) {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const unfinished = names.filter((name) => name.endsWith(UNFINISHED) && NAME.test(basename(name, UNFINISHED)));
  const backups = names.filter((name) => NAME.test(name) && isBackup(join(folder, name)));
  const others = names.filter((name) => !NAME.test(name) && !unfinished.includes(name) && name !== 'lost+found');
  const toPaths = (/** @type {string[]} */ found) => found.map((name) => join(folder, name));
  return { backups: toPaths(backups), unfinished: toPaths(unfinished), others };
}

/**
 * Creates the folder of a backup that is being made.
 * @param {string} folder of all backups
 * @returns {{ folder: string, finish: () => string, sources: string[] }} finish: gives it its final name, and removes what
 *   interrupted backups left; sources: folders whose objects can be linked, newest first
 */
export function beginBackup(folder) {
  const { backups, unfinished, others } = listBackups(folder);
  if (others.length > 0 && backups.length + unfinished.length === 0)
    throw new UserError(
      `${folder} contains other files (${others[0]}). Choose an empty folder, or one with backups only.`,
    );
  const name = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const final = join(folder, name);
  const draft = `${final}${UNFINISHED}`;
  if (existsSync(final) || existsSync(draft))
    throw new UserError(`${final} exists. Start the backup again in a second.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const layout = layoutOf(draft);
  for (const path of [draft, layout.tables, layout.objects, layout.exports]) mkdirSync(path, { mode: 0o700 });
  const finish = () => {
    for (const path of [layout.tables, draft]) syncFolder(path);
    renameSync(draft, final);
    syncFolder(folder);
    for (const path of unfinished) rmSync(path, { recursive: true, force: true });
    return final;
  };
  return { folder: draft, finish, sources: [...unfinished.toReversed(), ...backups.toReversed()] };
}

/**
 * Finds the backup that a user means: the folder itself, or the newest backup in it.
 * @param {string} folder
 * @returns {string}
 */
export function findBackup(folder) {
  if (!existsSync(folder)) throw new UserError(`${folder} does not exist.`);
  if (folder.endsWith(UNFINISHED)) throw new UserError(`${folder} is a backup that was interrupted. Use another one.`);
  if (isBackup(folder)) return folder;
  const { backups, unfinished } = listBackups(folder);
  const newest = backups.at(-1);
  if (newest) return newest;
  const hint = unfinished[0] ? ` ${basename(unfinished[0])} was interrupted and cannot be restored.` : '';
  throw new UserError(`${folder} contains no backup.${hint} Pass the folder that npm run backup has written.`);
}

/**
 * Notes what is wrong with a backup. `deleteOldBackups` does not count it as a good one.
 * @param {string} backup
 * @param {readonly string[]} problems
 */
export function writeProblems(backup, problems) {
  writeFileSync(join(backup, PROBLEMS), `${problems.join('\n').trim()}\n`);
}

/**
 * Deletes the backups of an installation that are older than its newest good ones. Without enough good ones, nothing is deleted.
 * @param {object} options
 * @param {string} options.folder of all backups
 * @param {number} options.keep how many good ones stay, at least 1
 * @param {string} options.created the backup that was just made
 * @param {(backup: string) => boolean} options.isOwn whether a backup is of the same installation
 * @returns {string[]} the deleted ones, oldest first
 * @throws UserError if a backup is later than the new one: it could be deleted in its place
 */
export function deleteOldBackups({ folder, keep, created, isOwn }) {
  const own = listBackups(folder).backups.filter(isOwn);
  const latest = own.at(-1);
  if (latest !== created)
    throw new UserError(
      `Nothing was deleted: ${latest} has a later time than the new backup, so a clock was wrong. Delete it, or rename it to the time at which it was made.`,
    );
  const good = own.filter((backup) => !existsSync(join(backup, PROBLEMS)));
  const oldestKept = good.at(-keep);
  const old = oldestKept === undefined ? [] : own.slice(0, own.indexOf(oldestKept));
  for (const path of old) {
    // If the process ends here, half of a backup must not count as one. The next backup removes it.
    const draft = `${path}${UNFINISHED}`;
    renameSync(path, draft);
    rmSync(draft, { recursive: true, force: true });
  }
  return old;
}

/** @param {string} path */
function syncFolder(path) {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/**
 * Whether a path is a folder or in it.
 * @param {string} path
 * @param {string} folder
 */
export function isInside(path, folder) {
  for (let at = path; ; at = dirname(at)) {
    if (at === folder) return true;
    if (at === dirname(at)) return false;
  }
}

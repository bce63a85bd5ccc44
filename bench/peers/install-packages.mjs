import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installEnv } from '../../scripts/lib/install/run-npm-ci.mjs';
import { ROOT } from '../../scripts/lib/layout.mjs';
import { UserError } from '../../scripts/lib/report.mjs';
import { lastLines, runCommand } from '../../scripts/lib/run-command.mjs';

const HASH_LENGTH = 12;

/**
 * Installs the packages of a lock file into the user's cache, unless they are there. Install scripts do not run: those of n8n
 * would download programs that the workloads do not need.
 * @param {string} group a folder of `packages`
 * @param {(line: string) => void} note
 * @returns {Promise<string>} the folder that has `node_modules`
 */
export async function installPackages(group, note) {
  const source = join(import.meta.dirname, 'packages', group);
  const lock = readFileSync(join(source, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, HASH_LENGTH);
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'millrace', 'bench-peers', `${group}-${hash}`);
  if (existsSync(folder)) return folder;
  note(`Installing the packages of ${group} into ${folder}; this takes minutes …`);
  // Under another name until it is complete, so that an interrupted installation starts again.
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  cpSync(source, draft, { recursive: true });
  const args = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await runCommand('npm', args, { cwd: draft, env: installEnv(ROOT) });
  if (code !== 0) throw new UserError(`The packages of ${group} were not installed:\n${lastLines(output, 20)}`);
  renameSync(draft, folder);
  return folder;
}

/**
 * @param {string} folder with `node_modules`
 * @param {string} name
 * @returns {string} version of an installed package
 */
export const readVersion = (folder, name) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;

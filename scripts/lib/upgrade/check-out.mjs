import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';

/**
 * The last checkout stays here, because its installation and build may take longer than the test. It is outside of this
 * checkout, because builds look for packages in the path of a file.
 */
const FOLDER = join(tmpdir(), `millrace-upgrade-${createHash('sha256').update(ROOT).digest('hex').slice(0, 8)}`);

/**
 * Checks a commit out into a git worktree, unless the last call did. The worktrees of other commits are removed. A plain copy
 * of the files would not do: turbo's cache identifies sources by what git knows about them.
 * @param {string} ref commit, branch or tag
 * @returns {Promise<{ folder: string, commit: string }>} commit: its full hash
 */
export async function checkOut(ref) {
  const commit = (await git('rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`)).trim();
  const folder = join(FOLDER, commit);
  mkdirSync(FOLDER, { recursive: true });
  const others = readdirSync(FOLDER).filter((name) => name !== commit);
  for (const name of others) await git('worktree', 'remove', '--force', join(FOLDER, name));
  if (!existsSync(folder)) await git('worktree', 'add', '--force', '--detach', folder, commit);
  return { folder, commit };
}

/** @param {string[]} args */
async function git(...args) {
  const { code, output } = await runCommand('git', args, { cwd: ROOT });
  if (code !== 0) throw new UserError(`git ${args.join(' ')} failed:\n${lastLines(output, 10)}`);
  return output;
}

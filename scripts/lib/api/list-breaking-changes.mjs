import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { UserError } from '../report.mjs';
import { runCommand } from '../run-command.mjs';
import { findBreakingChanges } from './find-breaking-changes.mjs';

/** The stored description of the API, below the root of the repository. */
export const DESCRIPTION_FILE = 'docs/reference/openapi.json';

/** @returns {Promise<string | null>} the tag of the last release of this branch, such as `v0.2.0`; null if there is none */
export async function findLastRelease() {
  const args = ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*'];
  const { code, output } = await runCommand('git', args, { cwd: ROOT });
  return code === 0 ? output.trim() : null;
}

/**
 * @param {string} commit
 * @returns {Promise<string[]>} a sentence for each change of the API since the commit that breaks clients
 */
export async function listBreakingChanges(commit) {
  const { code, output } = await runCommand('git', ['show', `${commit}:${DESCRIPTION_FILE}`], { cwd: ROOT });
  if (code !== 0) throw new UserError(`${commit} has no ${DESCRIPTION_FILE}. Choose a later commit.`);
  return findBreakingChanges(JSON.parse(output), JSON.parse(readFileSync(join(ROOT, DESCRIPTION_FILE), 'utf8')));
}

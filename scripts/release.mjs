import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLastRelease, listBreakingChanges } from './lib/api/list-breaking-changes.mjs';
import { listWorkspaces } from './lib/build/list-workspaces.mjs';
import { ROOT } from './lib/layout.mjs';
import { parseArguments } from './lib/parse-arguments.mjs';
import { cutChangelog } from './lib/release/cut-changelog.mjs';
import { nextVersion } from './lib/release/next-version.mjs';
import { setVersions } from './lib/release/set-versions.mjs';
import { runMain, UserError } from './lib/report.mjs';
import { runCommand } from './lib/run-command.mjs';
import { readJson } from './lib/write-json.mjs';

const USAGE = `npm run release -- [version] [--dry-run]   releases the changes that CHANGELOG.md lists under "Unreleased"

  version     such as 0.2.0; default: the next minor version if anything was added, changed or removed, else the next patch
  --dry-run   only show what the release would contain`;

await runMain(async () => {
  const { values, positionals } = parseArguments(
    { options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } }, allowPositionals: true },
    USAGE,
  );
  if (values.help) return console.log(USAGE);
  const dryRun = values['dry-run'] === true || process.env.npm_config_dry_run === 'true';
  const changelogFile = join(ROOT, 'CHANGELOG.md');
  const changelog = readFileSync(changelogFile, 'utf8');
  const { version: current } = readJson(join(ROOT, 'package.json'));
  const version = nextVersion(current, changelog, positionals[0]);
  const tag = `v${version}`;
  await checkRepository(tag, dryRun);
  await checkApi(current, version);
  const { text, notes } = cutChangelog(changelog, version, new Date());
  const files = [ROOT, ...listWorkspaces(ROOT).map(({ folder }) => join(ROOT, folder))];
  console.log(
    `${dryRun ? 'Would release' : 'Releasing'} ${tag} (after ${current}): ${files.length} packages\n\n${notes}`,
  );
  if (dryRun) return;
  setVersions(files, version);
  writeFileSync(changelogFile, text);
  await git('add', 'CHANGELOG.md', 'package.json', 'package-lock.json', 'apps', 'libs', 'deploy');
  await git('commit', '-m', `chore: release ${version}`);
  await git('tag', '-a', tag, '-m', notes);
  console.log('The release is committed and tagged. Publish it with: git push --follow-tags');
});

/**
 * @param {string} tag
 * @param {boolean} dryRun
 */
async function checkRepository(tag, dryRun) {
  if ((await git('tag', '--list', tag)) !== '')
    throw new UserError(`The tag ${tag} already exists. Choose another version.`);
  if (dryRun) return;
  if ((await git('status', '--porcelain')) !== '')
    throw new UserError('The work tree has changes. Commit or stash them first.');
  const branch = await git('branch', '--show-current');
  if (branch !== 'main')
    throw new UserError(
      `Releases are made from the branch main (this is ${branch || 'not a branch'}). Run: git switch main`,
    );
}

/**
 * Prints the changes of the API that break clients. A patch release must have none.
 * @param {string} current
 * @param {string} version
 */
async function checkApi(current, version) {
  const last = await findLastRelease();
  const changes = last === null ? [] : await listBreakingChanges(last);
  if (changes.length === 0) return;
  console.log(`Changes since ${last} that break clients of the API:\n  ${changes.join('\n  ')}\n`);
  const minorOf = (/** @type {string} */ text) => text.split('.').slice(0, 2).join('.');
  if (minorOf(current) === minorOf(version))
    throw new UserError(
      `${version} would be a patch, but the API has changes that break clients. Choose a minor version.`,
    );
}

/** @param {string[]} args */
async function git(...args) {
  const { code, output } = await runCommand('git', args, { cwd: ROOT });
  if (code !== 0) throw new UserError(`git ${args.join(' ')} failed:\n${output.trimEnd()}`);
  return output.trim();
}

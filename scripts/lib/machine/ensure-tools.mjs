import { createInterface } from 'node:readline/promises';
import { phase, UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';
import { findManager, installAdvice, isMissing, missingTools, packagesFor } from './choose-packages.mjs';
import { findCommand } from './find-command.mjs';
import { installPackages } from './install-packages.mjs';
import { isUnattended } from './is-unattended.mjs';

/**
 * Installs the missing programs. In a terminal it asks for confirmation first; unattended it does not.
 * @param {{ env: NodeJS.ProcessEnv, yes: boolean, report: import('../report.mjs').Report, browser?: boolean, network?: boolean }} options browser, network: as `missingTools`
 */
export async function ensureTools({ env, yes, report, browser = false, network = false }) {
  const missing = missingTools(env, process.platform, findCommand, { browser, network });
  if (missing.length === 0) return;
  const manager = findManager(findCommand);
  const rootPrefix = manager && (await findRootPrefix(manager.name));
  const problem = !manager
    ? 'This machine has no supported package manager (apt, dnf, apk, brew).'
    : !rootPrefix
      ? 'They cannot be installed automatically: this user is not root, and sudo requires a password.'
      : yes || isUnattended(env) || (await confirmInstall(manager, missing))
        ? await install(manager, missing, rootPrefix, report)
        : 'They were not installed.';
  reportMissing(
    missing.filter((tool) => isMissing(tool, findCommand, env)),
    manager,
    problem,
    report,
  );
}

/**
 * @param {import('./choose-packages.mjs').Tool[]} missing
 * @param {import('./choose-packages.mjs').Manager | undefined} manager
 * @param {string} problem
 * @param {import('../report.mjs').Report} report
 */
function reportMissing(missing, manager, problem, report) {
  if (missing.length === 0) return;
  const names = missing.map(({ command, purpose }) => `${command} (${purpose})`).join(', ');
  const text = `Missing: ${names}.\n${problem}\nInstall:\n${installAdvice(manager, missing)}`;
  if (missing.some(({ required }) => required)) throw new UserError(text);
  report(`WARNING: ${text}`);
}

/**
 * @param {import('./choose-packages.mjs').Manager} manager
 * @param {import('./choose-packages.mjs').Tool[]} tools
 * @param {string[]} rootPrefix
 * @param {import('../report.mjs').Report} report
 * @returns {Promise<string>} the error output; empty on success
 */
async function install(manager, tools, rootPrefix, report) {
  const packages = packagesFor(manager, tools);
  report(`Installing ${packages.join(', ')} (${manager.command}) …`);
  const all = await phase(report, 'system packages', () => installPackages(manager, packages, rootPrefix));
  if (all.code === 0) return '';
  // A package that this system does not have must not prevent the installation of the others.
  const results = [];
  for (const name of packages) results.push(await installPackages(manager, [name], rootPrefix));
  return results
    .filter(({ code }) => code !== 0)
    .map(({ output }) => lastLines(output, 6))
    .join('\n');
}

/**
 * @param {string} manager
 * @returns {Promise<string[] | undefined>} the words before a command that run it as root; undefined if that is not possible
 */
async function findRootPrefix(manager) {
  // Homebrew refuses to run as root.
  if (manager === 'brew' || process.getuid?.() === 0) return [];
  const sudo = findCommand('sudo');
  if (!sudo) return undefined;
  const { code } = await runCommand(sudo, ['-n', 'true']);
  return code === 0 ? [sudo, '-n'] : undefined;
}

/**
 * @param {import('./choose-packages.mjs').Manager} manager
 * @param {import('./choose-packages.mjs').Tool[]} tools
 */
async function confirmInstall(manager, tools) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const list = packagesFor(manager, tools).join(', ');
  const answer = await lines.question(
    `These packages are missing: ${list}. Install them with ${manager.command}? [Y/n] `,
  );
  lines.close();
  return /^(y(es)?)?$/i.test(answer.trim());
}

import { createInterface } from 'node:readline/promises';
import { phase, UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';
import { findManager, installAdvice, isMissing, missingTools, packagesFor } from './choose-packages.mjs';
import { findCommand } from './find-command.mjs';
import { installPackages } from './install-packages.mjs';
import { isUnattended } from './is-unattended.mjs';

/**
 * Installs the programs that this machine lacks, after a question in a terminal, and without one if it runs unattended.
 * @param {{ env: NodeJS.ProcessEnv, yes: boolean, report: import('../report.mjs').Report }} options
 */
export async function ensureTools({ env, yes, report }) {
  const missing = missingTools(env, process.platform, findCommand);
  if (missing.length === 0) return;
  const manager = findManager(findCommand);
  const asRoot = manager && (await becomeRoot(manager.name));
  const problem = !manager
    ? 'No known package manager (apt, dnf, apk, brew) is here to install them with.'
    : !asRoot
      ? 'They cannot be installed from here: this is not root, and sudo asks for a password.'
      : yes || isUnattended(env) || (await agrees(manager, missing))
        ? await install(manager, missing, asRoot, report)
        : 'Not installed.';
  reportMissing(
    missing.filter((tool) => isMissing(tool, findCommand)),
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
 * @param {string[]} asRoot
 * @param {import('../report.mjs').Report} report
 * @returns {Promise<string>} what went wrong; empty where nothing did
 */
async function install(manager, tools, asRoot, report) {
  const packages = packagesFor(manager, tools);
  report(`Installing ${packages.join(', ')} (${manager.command}) …`);
  const all = await phase(report, 'system packages', () => installPackages(manager, packages, asRoot));
  if (all.code === 0) return '';
  // One that this system does not know must not keep the others away.
  const results = [];
  for (const name of packages) results.push(await installPackages(manager, [name], asRoot));
  return results
    .filter(({ code }) => code !== 0)
    .map(({ output }) => lastLines(output, 6))
    .join('\n');
}

/**
 * @param {string} manager
 * @returns {Promise<string[] | undefined>} words that make a command run as root; undefined where none do
 */
async function becomeRoot(manager) {
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
async function agrees(manager, tools) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const list = packagesFor(manager, tools).join(', ');
  const answer = await lines.question(`Missing here: ${list}. Install with ${manager.command}? [Y/n] `);
  lines.close();
  return /^(y(es)?)?$/i.test(answer.trim());
}

import { existsSync } from 'node:fs';
import { runCommand } from '../run-command.mjs';

/** Runs as `sh -c SCRIPT sh <apt-get …>` in a mount namespace of its own. */
const HIDE_SYSTEMD_HELPERS =
  'for f in /usr/bin/deb-systemd-invoke /usr/bin/deb-systemd-helper; do [ ! -e "$f" ] || mount --bind /bin/true "$f" || exit 125; done; exec "$@"';

/**
 * Installs system packages, with a fresh package list where the first try fails.
 * @param {import('./choose-packages.mjs').Manager} manager
 * @param {string[]} packages
 * @param {string[]} asRoot words before the command that make it run as root
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function installPackages(manager, packages, asRoot) {
  const run = async (/** @type {string[]} */ args) => {
    const [command = '', ...rest] = [...asRoot, ...(await quietly(manager)), manager.command, ...args];
    return runCommand(command, rest, { cwd: '/' });
  };
  const install = [...manager.install, ...packages];
  const first = await run(install);
  if (first.code === 0 || !manager.refresh) return first;
  const refreshed = await run(manager.refresh);
  return refreshed.code === 0 ? run(install) : refreshed;
}

/**
 * Debian starts the service of a package it installs, and enables it for the next boot; here only the programs are
 * wanted. Without systemd, runlevel 1 keeps invoke-rc.d from starting it. With systemd, the two helpers that do it are
 * covered by /bin/true, for this one command and nobody else: no file of the system changes.
 * @param {import('./choose-packages.mjs').Manager} manager
 * @returns {Promise<string[]>}
 */
async function quietly(manager) {
  if (manager.name !== 'apt') return [];
  const env = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'PREVLEVEL=N'];
  if (!existsSync('/run/systemd/system')) return env;
  return [...env, 'unshare', '--mount', 'sh', '-c', HIDE_SYSTEMD_HELPERS, 'sh'];
}

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
  const quiet = manager.name === 'apt' ? await quietly(asRoot) : [];
  const run = (/** @type {string[]} */ args) => {
    const [command = '', ...rest] = [...asRoot, ...quiet, manager.command, ...args];
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
 * wanted. The two helpers that do it with systemd are covered by /bin/true, for this one command and nobody else, so no
 * file of the system changes; without systemd, runlevel 1 keeps invoke-rc.d from starting it. A container that may not
 * make a mount namespace runs no systemd either.
 * @param {string[]} asRoot
 * @returns {Promise<string[]>}
 */
async function quietly(asRoot) {
  const env = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'PREVLEVEL=N'];
  const hide = ['unshare', '--mount', 'sh', '-c', HIDE_SYSTEMD_HELPERS, 'sh'];
  const [command, ...args] = [...asRoot, ...hide, 'true'];
  return (await runCommand(command, args)).code === 0 ? [...env, ...hide] : env;
}

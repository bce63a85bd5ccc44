import { runCommand } from '../run-command.mjs';

/** Runs as `sh -c SCRIPT sh <apt-get …>` in a separate mount namespace. */
const HIDE_SYSTEMD_HELPERS =
  'for f in /usr/bin/deb-systemd-invoke /usr/bin/deb-systemd-helper; do [ ! -e "$f" ] || mount --bind /bin/true "$f" || exit 125; done; exec "$@"';

/**
 * Installs system packages. If the first attempt fails, it refreshes the package list and retries.
 * @param {import('./choose-packages.mjs').Manager} manager
 * @param {string[]} packages
 * @param {string[]} rootPrefix the words before a command that run it as root
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function installPackages(manager, packages, rootPrefix) {
  const quiet = manager.name === 'apt' ? await preventServiceStart(rootPrefix) : [];
  const run = (/** @type {string[]} */ args) => {
    const [command = '', ...rest] = [...rootPrefix, ...quiet, manager.command, ...args];
    return runCommand(command, rest, { cwd: '/' });
  };
  const install = [...manager.install, ...packages];
  const first = await run(install);
  if (first.code === 0 || !manager.refresh) return first;
  const refreshed = await run(manager.refresh);
  return refreshed.code === 0 ? run(install) : refreshed;
}

/**
 * Debian starts the service of a package that it installs, and enables it for the next boot, but only the programs are
 * needed here. With systemd two helpers do that: a mount namespace covers them with /bin/true for this command only, so no
 * file of the system changes. Without systemd, runlevel 1 prevents invoke-rc.d from starting the service. A container that
 * cannot create a mount namespace does not run systemd either.
 * @param {string[]} rootPrefix
 * @returns {Promise<string[]>} the words before a command that prevent the start
 */
async function preventServiceStart(rootPrefix) {
  const env = ['env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1', 'PREVLEVEL=N'];
  const hide = ['unshare', '--mount', 'sh', '-c', HIDE_SYSTEMD_HELPERS, 'sh'];
  const [command, ...args] = [...rootPrefix, ...hide, 'true'];
  return (await runCommand(command, args)).code === 0 ? [...env, ...hide] : env;
}

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findCommand } from '../machine/find-command.mjs';
import { UserError } from '../report.mjs';
import { runCommand } from '../run-command.mjs';

/**
 * The user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root starts it as an unprivileged user.
 * @typedef {object} PostgresUser
 * @property {{ uid: number, gid: number } | undefined} owner owner of its files; undefined if it is the user of this command
 * @property {(command: string, args: string[]) => { command: string, args: string[], uid?: number, gid?: number }} wrap
 */

/**
 * @param {{ binary: string, folder: string }} paths that user must be able to access the program and the data folder
 * @returns {Promise<PostgresUser>}
 */
export async function choosePostgresUser({ binary, folder }) {
  if (process.getuid?.() !== 0) return { owner: undefined, wrap: (command, args) => ({ command, args }) };
  const owner = findUser('postgres') ?? createUser() ?? findUser('nobody');
  if (!owner)
    throw new UserError(
      'PostgreSQL does not run as root, and the user "postgres" could not be created. Create it, or run as an ordinary user.',
    );
  if (await canAccess(owner, binary, folder)) return { owner, wrap: (command, args) => ({ command, args, ...owner }) };
  return {
    owner,
    wrap: (command, args) => ({ command: requireSetpriv(), args: [...accessArguments(owner), command, ...args] }),
  };
}

/**
 * @param {string} name
 * @returns {{ uid: number, gid: number } | undefined}
 */
function findUser(name) {
  const readId = (/** @type {string} */ flag) => spawnSync('id', [flag, name], { encoding: 'utf8' });
  const [uid, gid] = [readId('-u'), readId('-g')];
  return uid.status === 0 && gid.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined;
}

/** Creates the system user "postgres" with the tool of shadow or of busybox. */
function createUser() {
  const useradd = findCommand('useradd');
  const adduser = findCommand('adduser');
  if (useradd)
    spawnSync(useradd, ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres']);
  else if (adduser) spawnSync(adduser, ['-S', '-D', '-H', 'postgres']);
  return findUser('postgres');
}

/**
 * @param {{ uid: number, gid: number }} owner
 * @param {string} binary
 * @param {string} folder
 */
async function canAccess(owner, binary, folder) {
  const checks = [
    runCommand(binary, ['--version'], { ...owner, cwd: '/' }),
    runCommand('test', ['-x', folder], { ...owner, cwd: '/' }),
  ];
  return (await Promise.all(checks)).every(({ code }) => code === 0);
}

/** @returns {string} */
function requireSetpriv() {
  const found = findCommand('setpriv');
  if (found) return found;
  throw new UserError(
    'PostgreSQL does not run as root, and its own user cannot access this folder. Install setpriv (util-linux), run as an\n' +
      'ordinary user, or move the clone and MILLRACE_DATA_DIR to a folder that every user can access.',
  );
}

/**
 * Below a folder such as /root, which other users cannot enter, the user gets the capability to enter folders and read
 * files: CAP_DAC_READ_SEARCH, which does not allow writing, or CAP_DAC_OVERRIDE in a container without it. PostgreSQL checks
 * its own program with access(2), which drops the capabilities of a user other than root unless `no_setuid_fixup` is set.
 * @param {{ uid: number, gid: number }} owner
 */
function accessArguments({ uid, gid }) {
  const capability = hasCapability(2) ? 'dac_read_search' : 'dac_override';
  const user = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups', '--securebits', '+no_setuid_fixup'];
  return [...user, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`];
}

/** @param {number} bit capabilities(7) */
function hasCapability(bit) {
  const mask = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return ((BigInt(`0x${mask}`) >> BigInt(bit)) & 1n) === 1n;
}

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { runCommand } from '../run-command.mjs';

const CACHE = join(ROOT, 'node_modules', '.cache', 'millrace');

/**
 * Downloads a package of Debian, for tests, and unpacks it into a cache folder. Nothing is installed.
 * @param {string} name of the package
 * @param {string} file that the package contains, as a path below its folder
 * @returns {Promise<string>} the folder
 */
export async function unpackDebianPackage(name, file) {
  const unpacked = join(CACHE, name);
  if (!existsSync(join(unpacked, file))) await unpack(name, unpacked);
  return unpacked;
}

/** @param {string} name @param {string} unpacked */
async function unpack(name, unpacked) {
  const scratch = mkdtempSync(join(tmpdir(), `millrace-${name}-`));
  try {
    await download(name, scratch);
    const [file = ''] = readdirSync(scratch).filter((entry) => entry.endsWith('.deb'));
    mkdirSync(CACHE, { recursive: true });
    const target = mkdtempSync(join(CACHE, 'unpacking-'));
    await run(name, 'dpkg', ['-x', join(scratch, file), target]);
    // Another suite may have been faster.
    if (existsSync(unpacked)) rmSync(target, { recursive: true });
    else renameSync(target, unpacked);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param {string} name @param {string} folder */
async function download(name, folder) {
  const get = () => runCommand('apt-get', ['download', name], { cwd: folder });
  if ((await get()).code === 0) return;
  await runCommand('apt-get', ['update'], { cwd: folder });
  await run(name, 'apt-get', ['download', name], folder);
}

/** @param {string} name @param {string} command @param {string[]} args @param {string} [cwd] */
async function run(name, command, args, cwd = '/') {
  const { code, output } = await runCommand(command, args, { cwd });
  if (code === 0) return;
  throw new Error(`${name} is missing: "${command} ${args.join(' ')}" failed. Install ${name}.\n${output}`);
}

import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../layout.mjs';
import { runCommand } from '../run-command.mjs';
import { findCommand } from './find-command.mjs';

const CACHE = join(ROOT, 'node_modules', '.cache', 'millrace');
const UNPACKED = join(CACHE, 'prometheus');

/** @typedef {{ prometheus: string, promtool: string }} PrometheusPrograms */

/**
 * The programs of Prometheus, which tests use: those of the machine or, on Debian, those of its package, which is unpacked into
 * a cache folder. Nothing is installed, because the package would start a service.
 * @returns {Promise<PrometheusPrograms>}
 */
export async function ensurePrometheus() {
  const [prometheus, promtool] = [findCommand('prometheus'), findCommand('promtool')];
  if (prometheus && promtool) return { prometheus, promtool };
  const folder = join(UNPACKED, 'usr', 'bin');
  if (!existsSync(join(folder, 'promtool'))) await unpack();
  return { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') };
}

async function unpack() {
  const scratch = mkdtempSync(join(tmpdir(), 'millrace-prometheus-'));
  try {
    await download(scratch);
    const [file = ''] = readdirSync(scratch).filter((name) => name.endsWith('.deb'));
    mkdirSync(CACHE, { recursive: true });
    const target = mkdtempSync(join(CACHE, 'unpacking-'));
    await run('dpkg', ['-x', join(scratch, file), target]);
    // Another suite may have been faster.
    if (existsSync(UNPACKED)) rmSync(target, { recursive: true });
    else renameSync(target, UNPACKED);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function download(folder) {
  const get = () => runCommand('apt-get', ['download', 'prometheus'], { cwd: folder });
  if ((await get()).code === 0) return;
  await runCommand('apt-get', ['update'], { cwd: folder });
  await run('apt-get', ['download', 'prometheus'], folder);
}

/** @param {string} command @param {string[]} args @param {string} [cwd] */
async function run(command, args, cwd = '/') {
  const { code, output } = await runCommand(command, args, { cwd });
  if (code === 0) return;
  throw new Error(
    `Prometheus is missing: "${command} ${args.join(' ')}" failed. Install prometheus and promtool.\n${output}`,
  );
}

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const DIST = join(import.meta.dirname, '../../dist');
/** An ordinary user becomes root in a user namespace of its own. */
const AS_ROOT = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

/**
 * Imitates a container: runs a module in mount and process namespaces of its own, after a shell script has changed the mounts.
 * The module imports built files by `await load('<file>')`.
 * @returns the output of the module, parsed as JSON
 */
export async function runUnshared(mounts: string, module: string): Promise<unknown> {
  const load = `const load = (file) => import('${DIST}/' + file + '.js');\n`;
  const argv = [...AS_ROOT, '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const run = 'exec "$0" --input-type=module -e "$1"';
  const shell = ['sh', '-e', '-c', `${mounts}\n${run}`, process.execPath, load + module];
  const { stdout } = await promisify(execFile)('unshare', [...argv, ...shell], { timeout: 60_000 });
  return JSON.parse(stdout);
}

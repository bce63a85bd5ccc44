import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const DIST = join(import.meta.dirname, '../../dist');
/** The ids that a pod has with `hostUsers: false`, and where they begin on the machine. */
const FIRST_ID = 1_000_000;
const ID_COUNT = 65_536;

/** Masks parts of /proc, as container runtimes do without `procMount: Unmasked`. */
const MOUNTS = `
mount --make-rprivate /
mount -t proc -o nosuid,nodev,noexec proc /proc
for file in kcore keys timer_list; do [ ! -e /proc/$file ] || mount --bind /dev/null /proc/$file; done
mount --bind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys
mount -t tmpfs tmpfs /tmp
`;

/**
 * Imitates a Kubernetes pod with `hostUsers: false`: runs a module as root of a user namespace with 65,536 ids. Requires root
 * outside, which CI has. The module imports built files by `await load('<file>')`, and may write to /tmp.
 * @returns the output of the module, parsed as JSON
 */
export async function runInPod(module: string): Promise<unknown> {
  const load = `const load = (file) => import('${DIST}/' + file + '.js');\n`;
  const inner = [
    'unshare',
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-e',
    '-c',
    `${MOUNTS}\nexec "$0" "$@"`,
  ];
  const program = [process.execPath, '--input-type=module', '-e', load + module];
  const asRoot = ['setpriv', '--reuid', '0', '--regid', '0', '--clear-groups', ...inner, ...program];
  // The shell reports that the namespace exists, and waits until its ids are mapped.
  const argv = ['--user', '--keep-caps', 'sh', '-e', '-c', 'echo >&2; read -r mapped; exec "$0" "$@"', ...asRoot];
  const child = spawn('unshare', argv, { timeout: 60_000 });
  await once(child.stderr, 'data');
  for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${child.pid}/${map}`, `0 ${FIRST_ID} ${ID_COUNT}`);
  child.stdin.end('mapped\n');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (stdout === '') throw new Error(`The pod printed nothing: ${stderr}`);
  return JSON.parse(stdout);
}

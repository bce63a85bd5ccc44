import { execFileSync } from 'node:child_process';

const SCRIPT = 'cd "$1"; for i in $(seq "$2"); do mkdir "$3" && cd "$3" || exit 1; done; echo hi > f';

/** Makes `levels` folders of one name in each other, and a file in the last: further down than a path can name. */
export function makeDeepFolder(folder: string, levels: number, name: string): void {
  execFileSync('bash', ['-c', SCRIPT, 'bash', folder, String(levels), name]);
}

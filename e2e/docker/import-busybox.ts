import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of Debian's package busybox-static. */
const BUSYBOX = '/bin/busybox';

/** Makes an image of a static busybox, without a registry. @returns its reference */
export function importBusybox(): string {
  if (!existsSync(BUSYBOX)) throw new Error(`${BUSYBOX} does not exist (apt-get install busybox-static)`);
  const image = 'millrace-test/busybox:1';
  const root = mkdtempSync(join(tmpdir(), 'millrace-image-'));
  try {
    for (const name of ['bin', 'etc', 'tmp', 'proc', 'sys', 'dev']) mkdirSync(join(root, name));
    copyFileSync(BUSYBOX, join(root, 'bin/busybox'));
    const programs = execFileSync(BUSYBOX, ['--list'], { encoding: 'utf8' }).split('\n');
    for (const name of programs.filter((one) => one !== '' && one !== 'busybox'))
      symlinkSync('busybox', join(root, 'bin', name));
    const archive = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 64 * 1024 * 1024 });
    execFileSync('docker', ['import', '--change', 'ENV PATH=/bin', '-', image], { input: archive });
    return image;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of Debian's package busybox-static. */
const BUSYBOX = '/bin/busybox';
/** Enough for scripts of tests, which say that they are for bash. */
const BASH = '#!/bin/sh\nexec /bin/sh "$@"\n';
const MAX_ARCHIVE_BYTES = 64 * 1024 * 1024;

/**
 * Makes an image of a static busybox, without a registry. Its file `/etc/image` contains its reference.
 * @param changes instructions of a Dockerfile
 * @returns its reference
 */
export function importBusybox(name = 'busybox', changes: readonly string[] = []): string {
  const image = `millrace-test/${name}:1`;
  const root = mkdtempSync(join(tmpdir(), 'millrace-image-'));
  try {
    for (const folder of ['bin', 'etc', 'tmp', 'proc', 'sys', 'dev']) mkdirSync(join(root, folder));
    copyFileSync(BUSYBOX, join(root, 'bin/busybox'));
    const programs = execFileSync(BUSYBOX, ['--list'], { encoding: 'utf8' }).split('\n');
    for (const program of programs.filter((one) => !['', 'busybox', 'bash'].includes(one)))
      symlinkSync('busybox', join(root, 'bin', program));
    writeFileSync(join(root, 'bin/bash'), BASH, { mode: 0o755 });
    writeFileSync(join(root, 'etc/image'), image);
    const archive = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: MAX_ARCHIVE_BYTES });
    const options = ['ENV PATH=/bin', ...changes].flatMap((change) => ['--change', change]);
    execFileSync('docker', ['import', ...options, '-', image], { input: archive, stdio: 'pipe' });
    return image;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

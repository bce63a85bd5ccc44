import { join } from 'node:path';
import { findCommand } from './find-command.mjs';
import { unpackDebianPackage } from './unpack-debian-package.mjs';

/**
 * A static busybox, which the image of the worker has and tests of its pods need: that of Debian's package or, if there is no
 * apt-get, that of the machine.
 * @returns {Promise<string>} its path
 */
export async function ensureBusybox() {
  const installed = findCommand('busybox');
  if (!findCommand('apt-get') && installed) return installed;
  return join(await unpackDebianPackage('busybox-static', 'bin/busybox'), 'bin', 'busybox');
}

import { existsSync } from 'node:fs';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';

/** Of Debian's package busybox-static. The tests make an image of it, so they need no registry. */
const BUSYBOX = '/bin/busybox';

/**
 * Checks that this machine has what tests with a Docker daemon need.
 * @param {NodeJS.ProcessEnv} env
 * @throws {UserError} that names the missing program and the remedy
 */
export async function ensureDocker(env) {
  if (!existsSync(BUSYBOX)) throw new UserError(`${BUSYBOX} does not exist (apt-get install busybox-static).`);
  const { code, output } = await runCommand('docker', ['version', '--format', '{{.Server.Version}}'], { env });
  if (code === 0) return;
  const reason = lastLines(output, 5);
  throw new UserError(
    `These tests need a Docker daemon, and none responds:\n${reason}\nStart Docker, or set DOCKER_HOST.`,
  );
}

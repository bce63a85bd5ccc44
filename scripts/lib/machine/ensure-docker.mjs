import { existsSync } from 'node:fs';
import { UserError } from '../report.mjs';
import { lastLines, runCommand } from '../run-command.mjs';

const BUSYBOX = '/bin/busybox';

/**
 * Checks that this machine has what tests with a Docker daemon need.
 * @param {NodeJS.ProcessEnv} env
 * @throws {UserError} that names what is missing
 */
export async function ensureDocker(env) {
  if (!existsSync(BUSYBOX)) throw new UserError(`${BUSYBOX} does not exist (apt-get install busybox-static).`);
  const { code, output } = await runCommand('docker', ['version', '--format', '{{.Server.Version}}'], { env }).catch(
    (/** @type {Error} */ error) => ({ code: 127, output: error.message }),
  );
  if (code !== 0)
    throw new UserError(
      `These tests need a Docker daemon, and none responds:\n${lastLines(output, 5)}\nStart Docker, or set DOCKER_HOST.`,
    );
}

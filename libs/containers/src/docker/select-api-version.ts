import { ExecutorUnavailableError } from '../container-executor.js';
import type { DockerApi } from './docker-api.js';

/** Of Docker 20.10, the oldest that is tested. Earlier ones have no one-shot statistics. */
const MIN_API_VERSION = '1.41';

const REMEDIES: Record<string, string> = {
  ENOENT: 'Install and start Docker, or set DOCKER_HOST.',
  ECONNREFUSED: 'Start Docker, or set DOCKER_HOST.',
  EACCES: 'Start the worker as root, or add its user to the group of the socket.',
  EPERM: 'Start the worker as root, or add its user to the group of the socket.',
};

/**
 * Lets requests use the version of the daemon's API, and tests that steps can run there.
 * @throws ExecutorUnavailableError
 */
export async function selectApiVersion(api: DockerApi): Promise<void> {
  const { address } = api.host;
  const info = await readInfo(api);
  if (!isAtLeast(info.apiVersion, MIN_API_VERSION)) {
    throw new ExecutorUnavailableError(
      `The Docker daemon at ${address} is too old: its API has version ${info.apiVersion}, and ${MIN_API_VERSION} (Docker 20.10) is required.`,
    );
  }
  if (info.osType !== 'linux')
    throw new ExecutorUnavailableError(
      `The Docker daemon at ${address} runs containers of ${info.osType}, not of linux.`,
    );
  if (info.isRootless) {
    throw new ExecutorUnavailableError(
      `The Docker daemon at ${address} runs without root, so containers cannot have the users of slots. Use a daemon that runs as root.`,
    );
  }
  api.useVersion(info.apiVersion);
}

async function readInfo(api: DockerApi) {
  try {
    const version = (await api.request('GET', '/version')) as { ApiVersion: string; Os: string };
    const info = (await api.request('GET', '/info')) as { SecurityOptions?: string[] | null };
    const isRootless = info.SecurityOptions?.some((option) => option.includes('name=rootless')) === true;
    return { apiVersion: version.ApiVersion, osType: version.Os, isRootless };
  } catch (error) {
    const remedy = REMEDIES[(error as NodeJS.ErrnoException).code ?? ''] ?? '';
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExecutorUnavailableError(
      `The Docker daemon at ${api.host.address} does not respond: ${reason}. ${remedy}`.trim(),
    );
  }
}

function isAtLeast(version: string, minimum: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = minimum.split('.').map(Number);
  return major > minMajor || (major === minMajor && minor >= minMinor);
}

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Registry of images whose name has no host, and its key in the file. */
const DOCKER_HUB = 'docker.io';
const DOCKER_HUB_KEY = 'https://index.docker.io/v1/';

/** Host of the registry of an image, such as `registry.example.com:5000`. */
export function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return isHost ? first : DOCKER_HUB;
}

interface DockerConfig {
  auths?: Record<string, { auth?: string; username?: string; password?: string; identitytoken?: string }>;
}

/**
 * The header `X-Registry-Auth` for an image, from `config.json` in `DOCKER_CONFIG` or `~/.docker`, as `docker login` writes it.
 * Programs that keep passwords (`credsStore`, `credHelpers`) are not called. The file is read for each pull, so new
 * credentials need no restart.
 * @returns no header if the file has no credentials for the registry
 * @throws Error if the file exists and cannot be read
 */
export function registryHeaders(image: string, folder: string | undefined): Record<string, string> {
  const { auths = {} } = readConfig(join(folder ?? join(homedir(), '.docker'), 'config.json'));
  const registry = registryOf(image);
  const keys = registry === DOCKER_HUB ? [DOCKER_HUB_KEY, DOCKER_HUB] : [registry, `https://${registry}`];
  const serveraddress = keys.find((key) => Object.hasOwn(auths, key));
  const entry = serveraddress === undefined ? undefined : auths[serveraddress];
  if (!entry) return {};
  const { auth = '', identitytoken } = entry;
  const [username = '', ...password] = Buffer.from(auth, 'base64').toString('utf8').split(':');
  const login = identitytoken
    ? { identitytoken }
    : { username: entry.username ?? username, password: entry.password ?? password.join(':') };
  const content = JSON.stringify({ ...login, serveraddress });
  return { 'x-registry-auth': Buffer.from(content).toString('base64url') };
}

function readConfig(path: string): DockerConfig {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as DockerConfig;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    // The message of a JSON error contains a part of the file, which may be a password.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : String(error);
    throw new Error(`Credentials of registries cannot be read from ${path}: ${reason}.`);
  }
}

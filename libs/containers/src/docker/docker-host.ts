import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { join } from 'node:path';
import { ExecutorUnavailableError } from '../container-executor.js';

/** Where a daemon listens, as options of `node:http` or, with TLS, `node:https`. */
export interface DockerHost {
  /** Address for messages, such as `unix:///var/run/docker.sock`. */
  address: string;
  tls: boolean;
  options: RequestOptions;
}

const DEFAULT_ADDRESS = 'unix:///var/run/docker.sock';
const REMEDY = 'Set DOCKER_HOST to an address such as "unix:///var/run/docker.sock" or "tcp://127.0.0.1:2375".';

/** Variables of the environment that the `docker` command uses too. */
export interface DockerEnv {
  DOCKER_HOST?: string | undefined;
  DOCKER_TLS_VERIFY?: string | undefined;
  DOCKER_CERT_PATH?: string | undefined;
}

/**
 * Reads the address of the daemon. With `DOCKER_TLS_VERIFY`, `ca.pem`, `cert.pem` and `key.pem` of `DOCKER_CERT_PATH` are used.
 * @throws ExecutorUnavailableError
 */
export function readDockerHost({ DOCKER_HOST, DOCKER_TLS_VERIFY, DOCKER_CERT_PATH }: DockerEnv): DockerHost {
  const address = DOCKER_HOST === undefined || DOCKER_HOST === '' ? DEFAULT_ADDRESS : DOCKER_HOST;
  const socketPath = /^unix:\/\/(\/.+)$/.exec(address)?.[1];
  if (socketPath !== undefined) return { address, tls: false, options: { socketPath } };
  const [, host, port] = /^tcp:\/\/(\[[0-9a-f:]+\]|[^/:]+):(\d+)\/?$/i.exec(address) ?? [];
  if (host === undefined) throw new ExecutorUnavailableError(`DOCKER_HOST is not supported: "${address}". ${REMEDY}`);
  const options = { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
  const tls = DOCKER_TLS_VERIFY !== undefined && DOCKER_TLS_VERIFY !== '';
  return { address, tls, options: tls ? { ...options, ...readCertificates(DOCKER_CERT_PATH) } : options };
}

function readCertificates(folder: string | undefined): Pick<RequestOptions, 'ca' | 'cert' | 'key'> {
  if (folder === undefined || folder === '')
    throw new ExecutorUnavailableError('DOCKER_CERT_PATH is not set, which DOCKER_TLS_VERIFY needs.');
  try {
    const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readFileSync(join(folder, name)));
    return { ca, cert, key };
  } catch (error) {
    throw new ExecutorUnavailableError(`A certificate for the Docker daemon cannot be read: ${String(error)}`);
  }
}

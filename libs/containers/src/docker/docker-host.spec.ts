import { expect, it } from '@jest/globals';
import { ExecutorUnavailableError } from '../container-executor.js';
import { readDockerHost } from './docker-host.js';

it.each([
  [{}, { socketPath: '/var/run/docker.sock' }],
  [{ DOCKER_HOST: '' }, { socketPath: '/var/run/docker.sock' }],
  [{ DOCKER_HOST: 'unix:///run/user/docker.sock' }, { socketPath: '/run/user/docker.sock' }],
  [{ DOCKER_HOST: 'tcp://127.0.0.1:2375' }, { host: '127.0.0.1', port: 2375 }],
  [{ DOCKER_HOST: 'tcp://[::1]:2375/' }, { host: '::1', port: 2375 }],
])('the settings %j lead to the daemon', (env, options) => {
  expect(readDockerHost(env)).toMatchObject({ tls: false, options });
});

it.each([
  [{ DOCKER_HOST: 'ssh://user@host' }, 'DOCKER_HOST is not supported: "ssh://user@host"'],
  [{ DOCKER_HOST: 'tcp://host' }, 'DOCKER_HOST is not supported'],
  [{ DOCKER_HOST: 'tcp://host:1', DOCKER_TLS_VERIFY: '1' }, 'DOCKER_CERT_PATH is not set'],
  [{ DOCKER_HOST: 'tcp://host:1', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: '/nowhere' }, '/nowhere/ca.pem'],
])('the settings %j are refused with the reason', (env, message) => {
  expect(() => readDockerHost(env)).toThrow(ExecutorUnavailableError);
  expect(() => readDockerHost(env)).toThrow(message);
});

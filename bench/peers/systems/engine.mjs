import { join } from 'node:path';
import { isReachable, openHost } from './open-host.mjs';
import { readOutput } from './read-output.mjs';
import { runByHttp } from './run-by-http.mjs';

/**
 * A system whose workflows are code: a Node application with one of the engines of `apps`, and the servers that it needs.
 * @param {object} definition
 * @param {string} definition.engine
 * @param {('postgres' | 'redis')[]} definition.servers
 * @param {import('../systems.mjs').SystemOptions} options
 * @returns {import('../systems.mjs').PeerSystem}
 */
export function createEngineSystem({ engine, servers }, { folder, packages }) {
  /** @type {import('./open-host.mjs').Host | undefined} */
  let host;
  let url = '';
  const start = async () => {
    host = await openHost(folder, { servers, ports: ['app'] });
    url = `http://127.0.0.1:${host.ports.app}/`;
    await startApp(host, { engine, packages });
  };
  const stop = async () => host?.stop();
  return {
    install: async () => {
      await start();
      await stop();
    },
    start,
    stop,
    pids: () => host?.pids() ?? [],
    prepareRuns:
      ({ chain }) =>
      (runFolder) =>
        runByHttp(url, { workload: chain, folder: runFolder }),
    readOutput,
  };
}

/**
 * @param {import('./open-host.mjs').Host} host with a port `app`
 * @param {{ engine: string, packages: string, env?: NodeJS.ProcessEnv }} options
 */
export async function startApp(host, { engine, packages, env }) {
  await host.run({
    name: 'app',
    command: process.execPath,
    args: [join(import.meta.dirname, '..', 'apps', 'app.mjs')],
    env: {
      ...{ PATH: process.env.PATH, NODE_ENV: 'production', ...env },
      ...{ PEER_ENGINE: engine, PEER_PACKAGES: packages, PEER_PORT: String(host.ports.app) },
      ...{ DATABASE_URL: host.database, REDIS_URL: host.redis },
    },
    isReady: () => isReachable(`http://127.0.0.1:${host.ports.app}/`),
  });
}

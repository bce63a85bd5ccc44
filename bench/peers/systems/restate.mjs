import { join } from 'node:path';
import { startApp } from './engine.mjs';
import { isReachable, openHost } from './open-host.mjs';
import { readOutput } from './read-output.mjs';
import { runByHttp } from './run-by-http.mjs';

const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Restate: its server on one node, and a Node application with the steps.
 * @param {import('../systems.mjs').SystemOptions} options
 * @returns {import('../systems.mjs').PeerSystem}
 */
export function createRestate({ folder, packages }) {
  /** @type {import('./open-host.mjs').Host | undefined} */
  let host;
  let url = '';
  const start = async () => {
    host = await openHost(folder, { servers: [], ports: ['app', 'service', 'ingress', 'admin', 'node'] });
    const at = (/** @type {string} */ name) => `127.0.0.1:${host?.ports[name]}`;
    url = `http://${at('ingress')}/bench`;
    await host.run({
      name: 'restate',
      command: join(packages, 'node_modules', '@restatedev', `restate-server-${PLATFORM}`, 'bin', 'restate-server'),
      args: ['--no-logo'],
      env: {
        ...{ RESTATE_BASE_DIR: join(folder, 'restate'), RESTATE_NODE_NAME: 'bench', RESTATE_LISTEN_MODE: 'tcp' },
        ...{ RESTATE_BIND_ADDRESS: at('node'), RESTATE_ADVERTISED_ADDRESS: `http://${at('node')}` },
        ...{ RESTATE_INGRESS__BIND_ADDRESS: at('ingress'), RESTATE_ADMIN__BIND_ADDRESS: at('admin') },
        ...{ RESTATE_LOG_FILTER: 'warn', RESTATE_DISABLE_TELEMETRY: 'true' },
      },
      isReady: () => isReachable(`http://${at('admin')}/health`),
    });
    await startApp(host, {
      ...{ engine: 'restate', packages },
      env: { RESTATE_SERVICE_PORT: String(host.ports.service), RESTATE_ADMIN_URL: `http://${at('admin')}` },
    });
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
    prepareRuns: ({ chain }) => {
      const handler = chain === 'w3' ? 'parts' : 'chain';
      return (runFolder) => runByHttp(`${url}/${handler}`, { workload: chain, folder: runFolder });
    },
    readOutput,
  };
}

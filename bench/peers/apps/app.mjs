import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/**
 * The application of one engine: it defines the steps of the workloads, and executes them.
 *
 * PEER_ENGINE: name of a file of this folder. PEER_PACKAGES: folder in which its packages are installed. PEER_PORT: port of
 * the HTTP server. DATABASE_URL, REDIS_URL: servers of the engine.
 *
 * @typedef {object} EngineOptions
 * @property {(name: string) => Promise<any>} load imports an installed package
 * @property {string} database
 * @property {string} redis
 * @property {number} concurrency how many steps the engine executes at once
 *
 * An engine whose clients call another server returns none.
 * @typedef {object} Engine
 * @property {(workload: string, folder: string) => Promise<number>} runChain resolves to the result of the last step
 * @property {(folder: string) => Promise<void>} runParts
 */

const { PEER_ENGINE = '', PEER_PACKAGES = '', PEER_PORT, DATABASE_URL = '', REDIS_URL = '' } = process.env;
const require = createRequire(join(PEER_PACKAGES, 'package.json'));
const load = (/** @type {string} */ name) => import(pathToFileURL(require.resolve(name)).href);

const { start } = await import(`./${PEER_ENGINE}.mjs`);
/** @type {Engine | undefined} */
const engine = await start({ load, database: DATABASE_URL, redis: REDIS_URL, concurrency: 10 });

/** @param {import('node:http').IncomingMessage} request */
async function handle(request) {
  if (request.method === 'GET' || !engine) return 'ready';
  const { workload, folder } = /** @type {any} */ (await json(request));
  return workload === 'w3' ? engine.runParts(folder) : engine.runChain(workload, folder);
}

createServer((request, response) => {
  handle(request).then(
    (value) => response.end(JSON.stringify(value ?? null)),
    (error) => response.writeHead(500).end(String(error?.stack ?? error)),
  );
}).listen(Number(PEER_PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

import { join } from 'node:path';
import { findLockHolder } from '../process/acquire-lock.mjs';
import { SERVICES } from '../services.mjs';
import { serviceEnv, singleEnv } from './app-env.mjs';

/**
 * The processes of the services: one for each service, or a single one for all.
 * @param {import('./app-env.mjs').AppContext & { root: string, node: string, single: boolean }} context
 * @returns {import('../process/supervised-process.mjs').ProcessSpec[]}
 */
export function appSpecs(context) {
  const { root, node, layout } = context;
  const spec = (/** @type {string} */ name, /** @type {NodeJS.ProcessEnv} */ env) => ({
    name,
    command: node,
    // A start takes a sixth less if Prisma's WebAssembly is compiled function by function, when it is called.
    args: ['--enable-source-maps', '--wasm-lazy-compilation', join(root, 'apps', name, 'dist', 'main.js')],
    // A start takes a fifth less if the code is compiled already.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node-compile'), ...env },
    cwd: root,
    logFile: layout.log(name),
    findReplacement: () => findLockHolder(layout.devLock(name))?.pid,
  });
  if (context.single) return [{ ...spec('single', singleEnv(context)), pidNames: SERVICES }];
  return SERVICES.map((service) => spec(service, serviceEnv(service, context)));
}

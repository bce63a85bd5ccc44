import { join } from 'node:path';
import { lockHolder } from '../process/take-lock.mjs';
import { SERVICES } from '../services.mjs';
import { serviceEnv, singleEnv } from './app-env.mjs';

/**
 * The processes of our own: one for each service, or a single one for all of them.
 * @param {import('./app-env.mjs').AppContext & { root: string, node: string, single: boolean }} context
 * @returns {import('../process/supervised-process.mjs').ProcessSpec[]}
 */
export function appSpecs(context) {
  const { root, node, layout } = context;
  const spec = (/** @type {string} */ name, /** @type {NodeJS.ProcessEnv} */ env) => ({
    name,
    command: node,
    args: ['--enable-source-maps', join(root, 'apps', name, 'dist', 'main.js')],
    env,
    cwd: root,
    logFile: layout.log(name),
    findReplacement: () => lockHolder(layout.devLock(name))?.pid,
  });
  if (context.single) return [{ ...spec('single', singleEnv(context)), pidNames: SERVICES }];
  return SERVICES.map((service) => spec(service, serviceEnv(service, context)));
}

import { join } from 'node:path';
import { findLockHolder } from '../process/acquire-lock.mjs';
import { UserError } from '../report.mjs';
import { SERVICES } from '../services.mjs';
import { serviceEnv, singleEnv } from './app-env.mjs';
import { stopTimeoutOf } from './stop-timeout.mjs';

export const NODE_ARGS = [
  '--enable-source-maps',
  // A start takes a sixth less if Prisma's WebAssembly is compiled function by function, when it is called.
  '--wasm-lazy-compilation',
  // Below 2 GiB, V8 lets garbage grow to at most what is in use, instead of three times that.
  '--max-old-space-size=2000',
  // V8 takes three times this for new objects. A worker that runs 100,000 children needs a third less memory with both.
  '--max-semi-space-size=16',
  // Idle services return memory (libs/service/src/startup/return-memory.ts) if they have grown. V8's memory reducer collects
  // garbage every 100 s in any case, a quarter of the processor time of an idle system.
  '--expose-gc',
  '--no-memory-reducer',
];

/** The C library returns freed memory to the system (mallopt(3)). If these are not set, it raises both, and keeps 20 MB more. */
export const MALLOC_ENV = { MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * The processes of the services: one for each service, or a single one for all but those of `SEPARATE_SERVICES`.
 * @param {import('./app-env.mjs').AppContext & { root: string, node: string, single: boolean, waitForRepair?: boolean }}
 * @returns {import('../process/supervised-process.mjs').ProcessSpec[]}
 */
export function appSpecs(context) {
  const { root, node, layout, waitForRepair } = context;
  const spec = (/** @type {string} */ name, /** @type {NodeJS.ProcessEnv} */ env) => ({
    name,
    command: node,
    args: [...NODE_ARGS, programOf(root, name, waitForRepair ?? false)],
    env: { ...MALLOC_ENV, ...env },
    cwd: root,
    logFile: layout.log(name),
    stopTimeoutMs: stopTimeoutOf(name, env),
    findReplacement: () => findLockHolder(layout.devLock(name))?.pid,
  });
  const separate = context.single ? readSeparateServices(context.env) : SERVICES;
  const shared = SERVICES.filter((service) => !separate.includes(service));
  return [
    ...(shared.length > 0 ? [{ ...spec('single', singleEnv(context, shared)), pidNames: shared }] : []),
    ...separate.map((service) => spec(service, serviceEnv(service, context))),
  ];
}

/**
 * @param {string} root
 * @param {string} name
 * @param {boolean} isDevelopment services run as they were compiled, because the bundle is not built again after each edit
 */
function programOf(root, name, isDevelopment) {
  return isDevelopment ? join(root, 'apps', name, 'dist', 'main.js') : join(root, 'bundle', `${name}.js`);
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} the services of `SEPARATE_SERVICES`, which have a process each although the others share one
 */
function readSeparateServices({ SEPARATE_SERVICES = '' }) {
  const names = SEPARATE_SERVICES.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !SERVICES.includes(name));
  if (unknown === undefined) return names;
  throw new UserError(
    `SEPARATE_SERVICES must be names of services, separated by commas (got "${unknown}"). These exist: ${SERVICES.join(', ')}.`,
  );
}

import { createEngineSystem } from './systems/engine.mjs';
import { createFloor } from './systems/floor.mjs';
import { createMillrace } from './systems/millrace.mjs';
import { createN8n } from './systems/n8n.mjs';
import { createRestate } from './systems/restate.mjs';

/**
 * A system that executes the workloads. It can start again after `stop`, with its data.
 * @typedef {object} PeerSystem
 * @property {() => Promise<void>} install starts it for the first time, creates what the workloads need, and stops it
 * @property {() => Promise<void>} start resolves when it is ready for runs
 * @property {() => Promise<void>} stop
 * @property {() => number[]} pids its processes; their descendants belong to it as well
 * @property {(workload: import('./workloads.mjs').Workload) => (folder: string) => Promise<string>} prepareRuns returns a
 *   function that executes one run in a folder, and resolves to its result
 * @property {(workload: import('./workloads.mjs').Workload, folders: string[]) => (() => Promise<void>) | undefined} [prepareAll]
 *   returns a function that executes all runs, if it has a way of its own
 * @property {(workload: import('./workloads.mjs').Workload, run: { folder: string, result: string }) => Promise<string>} readOutput
 *
 * @typedef {{ folder: string, packages: string }} SystemOptions `folder`: its data directory; `packages`: where npm has
 *   installed its packages
 *
 * `without`: workloads that it cannot execute. `version`: package whose version it is. `onRequest`: only if it is named.
 * @typedef {object} SystemDefinition
 * @property {string} label
 * @property {string} [packages] a folder of `packages`
 * @property {string} [version]
 * @property {string[]} [without]
 * @property {boolean} [onRequest]
 * @property {(options: SystemOptions) => PeerSystem} create
 */

/** @type {Record<string, SystemDefinition>} */
export const SYSTEMS = {
  floor: { label: 'Floor', without: ['w1'], create: createFloor },
  millrace: {
    label: 'Millrace, isolation off',
    without: ['w1'],
    create: (options) => createMillrace({ ...options, isolation: 'off' }),
  },
  'millrace-isolated': {
    label: 'Millrace, isolation on',
    without: ['w1'],
    create: (options) => createMillrace({ ...options, isolation: 'required' }),
  },
  n8n: {
    ...{ label: 'n8n, queue mode', packages: 'n8n', version: 'n8n' },
    create: (options) => createN8n({ ...options, savesProgress: false }),
  },
  'n8n-progress': {
    ...{ label: 'n8n, queue mode, progress saved', packages: 'n8n', version: 'n8n', onRequest: true },
    create: (options) => createN8n({ ...options, savesProgress: true }),
  },
  restate: {
    ...{ label: 'Restate', packages: 'engines', version: '@restatedev/restate-server' },
    create: createRestate,
  },
  dbos: {
    ...{ label: 'DBOS', packages: 'engines', version: '@dbos-inc/dbos-sdk' },
    create: (options) => createEngineSystem({ engine: 'dbos', servers: ['postgres'] }, options),
  },
  'graphile-worker': {
    ...{ label: 'Graphile Worker', packages: 'engines', version: 'graphile-worker' },
    create: (options) => createEngineSystem({ engine: 'graphile-worker', servers: ['postgres'] }, options),
  },
  'pg-boss': {
    ...{ label: 'pg-boss', packages: 'engines', version: 'pg-boss' },
    create: (options) => createEngineSystem({ engine: 'pg-boss', servers: ['postgres'] }, options),
  },
  bullmq: {
    ...{ label: 'BullMQ flows', packages: 'engines', version: 'bullmq' },
    create: (options) => createEngineSystem({ engine: 'bullmq', servers: ['redis'] }, options),
  },
};

import { basename, join } from 'node:path';
import { runMigrations } from '../apps/run-migrations.mjs';
import { buildServices } from '../build/build-workspaces.mjs';
import { findDependents } from '../build/find-dependents.mjs';
import { fingerprintTree } from '../build/fingerprint-tree.mjs';
import { listWorkspaces } from '../build/list-workspaces.mjs';
import { formatDuration } from '../report.mjs';
import { changedOutputs, hashOutputs } from './hash-outputs.mjs';

/**
 * @typedef {import('../system/run-system.mjs').RunningSystem & { root: string, node: string, env: NodeJS.ProcessEnv, report: import('../report.mjs').Report }} DevContext
 */

/**
 * Creates the function that applies an edit to the running system: it builds, migrates the database if the migrations have
 * changed, and restarts the affected processes only.
 * @param {DevContext} context
 * @returns {() => Promise<void>}
 */
export function createChangeApplier(context) {
  const { root, report } = context;
  let outputs = hashOutputs(root);
  let migrations = hashMigrations(root);
  return async () => {
    const start = performance.now();
    try {
      await buildServices(root);
      const built = hashOutputs(root);
      const changed = changedOutputs(outputs, built);
      const newMigrations = hashMigrations(root);
      if (newMigrations !== migrations) await migrate(context);
      [outputs, migrations] = [built, newMigrations];
      const names = await restartChanged(context, changed);
      if (names.length > 0) report(`  restarted ${names.join(', ')} (${formatDuration(performance.now() - start)})`);
    } catch (error) {
      report(/** @type {Error} */ (error).message);
    }
  };
}

/** @param {string} root */
function hashMigrations(root) {
  return fingerprintTree([join(root, 'prisma', 'migrations')]);
}

/** @param {DevContext} context */
async function migrate({ root, node, env, urls, system, signal, report }) {
  const { secrets } = system;
  await runMigrations({ root, node, databaseUrl: urls.postgres, env, secrets, signal });
  report('  migrated the database');
}

/**
 * @param {DevContext} context
 * @param {string[]} changed names of packages
 */
async function restartChanged({ root, apps, system }, changed) {
  const workspaces = listWorkspaces(root);
  const affected = findDependents(workspaces, changed);
  const folders = workspaces.filter(({ name }) => affected.has(name)).map(({ folder }) => basename(folder));
  // The permissions in the NATS configuration follow from the contracts.
  const nats = affected.has('@millrace/messaging') && system.supervisor.get('nats') ? ['nats'] : [];
  const names = [...nats, ...apps.filter((app) => folders.includes(app))];
  for (const name of nats) await system.supervisor.get(name)?.restart();
  const others = names.filter((name) => name !== 'nats');
  await Promise.all(others.map(async (name) => system.supervisor.get(name)?.restart()));
  return names;
}

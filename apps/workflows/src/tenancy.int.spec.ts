import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requiredSpaceRole } from '@millrace/contracts/kit/access';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { restOperations } from '@millrace/contracts/registry';
import { createModule } from '@millrace/contracts/workflows/library';
import { createSecretVariable } from '@millrace/contracts/workflows/secrets';
import { createSnapshot } from '@millrace/contracts/workflows/snapshots';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from './start.js';
import { seedAs, chainOf } from './testing/seed.js';

let system: System;
let owner: Caller;
/** Path parameters of the owner's records, by the resource of the operation. */
let places: Record<string, Record<string, string>>;

const own = restOperations.filter(({ service }) => service === 'workflows');
const addressed = own.filter(({ path }) => path.includes('{'));
const lists = own.filter((operation) => operation.list && !addressed.includes(operation));

/** Bodies that are valid for the owner. */
const BODIES: Record<string, object> = {
  'workflows.projects.create': { name: 'New' },
  'workflows.workflows.create': { name: 'New' },
  'workflows.workflows.copy': {},
  'workflows.models.set': { modelId: 'claude-opus-4-5' },
  'workflows.snapshots.create': { workflow_version_info: 'latest' },
  'workflows.versions.save': { data: chainOf(2) },
  'workflows.versions.saveFile': { yaml: 'name: New\nworkflow: { nodes: {} }\n' },
  'workflows.modules.createVersion': { script: { source: 'echo other' } },
  'workflows.secrets.update': { value: 'other' },
  'workflows.schedules.set': { repeat_period: 5 },
  'workflows.hooks.fire': { payload: '' },
};

beforeAll(async () => {
  system = await startApps([start]);
  owner = ownerCaller();
  const seed = seedAs(system.callAs, owner);
  const space = await seed.space();
  const project = await seed.project(space.id);
  const workflow = await seed.saved(chainOf(1), space.id);
  const file = await seed.file('folder/file');
  const body = { name: 'TOKEN', value: 'a value', scope_type: 'space' as const, space: space.id };
  const secret = await system.callAs(owner, createSecretVariable, { body });
  const spaceId = space.id;
  const snapshot = await system.callAs(owner, createSnapshot, {
    params: { id: workflow.id },
    body: { workflow_version_info: workflow.version.id },
  });
  const script = { type: 'SCRIPT' as const, name: 'own', script_type: 'bash' as const, script: { source: 'echo own' } };
  const module = await system.callAs(owner, createModule, { body: script });
  for (const operation of ['workflows.workflows.move', 'workflows.snapshots.copy'])
    BODIES[operation] = { space: space.id };
  places = {
    spaces: { id: space.id },
    projects: { id: project.id, spaceId },
    workflows: { id: workflow.id, spaceId },
    versions: { id: workflow.id, versionId: workflow.version.id, a: workflow.version.id, b: 'latest' },
    snapshots: { id: workflow.id, snapshotId: snapshot.id },
    models: { id: workflow.id },
    files: { id: file.id },
    secrets: { id: secret.id },
    modules: { id: module.id },
    schedules: { id: workflow.id },
    hooks: { id: workflow.id, token: 'x' },
  };
});
afterAll(() => system.close());

const request = (caller: Caller, operation: AnyOperation, params: Record<string, string>) =>
  system.callAs(caller, operation, { params, body: BODIES[operation.name] ?? {} });

function paramsOf(operation: AnyOperation): Record<string, string> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const resource = operation.name.split('.')[1] ?? '';
  return Object.fromEntries(names.map((name) => [name, places[resource]?.[name] ?? '']));
}

/** The records of a list, without the built-in modules. */
async function ownOf(operation: AnyOperation, caller: Caller): Promise<unknown[]> {
  const { results } = (await system.callAs(caller, operation)) as { results: { built_in?: boolean }[] };
  return results.filter((record) => record.built_in !== true);
}

const countRows = () =>
  system.database.query(
    `SELECT (SELECT count(*) FROM workflows.space) AS spaces, (SELECT count(*) FROM workflows.project) AS projects,
       (SELECT count(*) FROM workflows.workflow) AS workflows, (SELECT count(*) FROM workflows.version) AS versions,
       (SELECT count(*) FROM workflows.snapshot) AS snapshots,
       (SELECT count(*) FROM workflows.file) AS files, (SELECT count(*) FROM workflows.folder) AS folders,
       (SELECT string_agg(name, ',' ORDER BY name) FROM workflows.workflow) AS names`,
  );

describe('a record of a vault', () => {
  it.each(addressed.map((operation) => [operation.name, operation] as const))(
    'is not found by %s from another vault, or under ids that do not exist',
    async (_, operation) => {
      const before = await countRows();
      const params = paramsOf(operation);
      const withId = (id: string) => Object.fromEntries(Object.keys(params).map((name) => [name, id]));
      const attempts: [Caller, Record<string, string>][] = [
        [ownerCaller(), params],
        [owner, withId(randomUUID())],
        [owner, withId("x'; --")],
      ];
      if (requiredSpaceRole(operation.access) !== null) attempts.push([memberCaller(owner, {}), params]);
      for (const [caller, otherParams] of attempts) {
        await expect(request(caller, operation, otherParams)).rejects.toMatchObject({ code: 'not_found' });
      }
      expect(await countRows()).toEqual(before);
    },
  );

  it.each(lists.map((operation) => [operation.name, operation] as const))(
    'is not in the results of %s for another vault',
    async (_, operation) => {
      expect(await ownOf(operation, owner)).not.toEqual([]);
      expect(await ownOf(operation, ownerCaller())).toEqual([]);
    },
  );
});

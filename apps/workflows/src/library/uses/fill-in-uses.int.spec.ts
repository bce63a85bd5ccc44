import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Request } from '@millrace/contracts/kit/operation';
import { exportWorkflow, importWorkflow } from '@millrace/contracts/workflows/exchange';
import { createModule, createModuleVersion, deleteModule, getModule } from '@millrace/contracts/workflows/library';
import { createSnapshot } from '@millrace/contracts/workflows/snapshots';
import { getVersion } from '@millrace/contracts/workflows/versions';
import { validateWorkflow } from '@millrace/contracts/workflows/workflows';
import { moduleId } from '@millrace/library/module-id';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs } from '../../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

type Nodes = Record<string, Record<string, unknown>>;

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const space = await seed.space();
  const { id } = await seed.workflow({}, space.id);
  const save = async (node: object) => {
    const version = await seed.version(id, { nodes: { 'one-1': node } });
    return { id: version.id, data: version.data as { nodes: Nodes } };
  };
  const latest = async () => (await system.callAs(caller, getVersion, { params: { id, versionId: 'latest' } })).data;
  const validate = (node: object) =>
    system.callAs(caller, validateWorkflow, { params: { id }, body: { data: { nodes: { 'one-1': node } } } });
  const addScript = (name: string, source = 'echo 1') =>
    system.callAs(caller, createModule, { body: { name, type: 'SCRIPT', script: { source } } });
  return { caller, space, id, save, latest, validate, addScript };
};

it.each(['port-scan', 'Port Scan', moduleId('port-scan')])(
  'a node that uses %s is saved as a copy of the module',
  async (uses) => {
    const { save, latest } = await seeded();
    const { data } = await save({ uses, inputs: { ports: '22,80' }, retries: 1 });
    expect(data.nodes['one-1']).toMatchObject({
      uses,
      id: moduleId('port-scan'),
      module_version: 1,
      type: 'SCRIPT',
      script_type: 'python',
      script: { source: expect.stringContaining('nmap') },
      network: true,
      retries: 1,
      inputs: {
        file: { type: 'FILE', command: '--file=' },
        ports: { type: 'STRING', command: '--ports=', value: '22,80', visible: true },
        versions: { type: 'BOOLEAN', command: '--versions', value: false },
      },
    });
    expect(await latest()).toEqual(data);
  },
);

it('the same file saved again adds no version, and a saved node stays unchanged when its module changes', async () => {
  const { caller, save, addScript } = await seeded();
  const module = await addScript('mine', 'echo 1');
  const first = await save({ uses: 'mine' });
  expect((await save({ uses: 'mine' })).id).toBe(first.id);
  const params = { id: module.id };
  await system.callAs(caller, createModuleVersion, { params, body: { script: { source: 'echo 2' } } });
  expect((await save(first.data.nodes['one-1'] ?? {})).id).toBe(first.id);
  const second = await save({ uses: 'mine' });
  expect(second.data.nodes['one-1']).toMatchObject({ module_version: 2, script: { source: 'echo 2' } });
});

it('a published workflow is no module until it is added as one, and the hint says how', async () => {
  const { caller, space, save, validate } = await seeded();
  const seed = seedAs(system.callAs, caller);
  const upper = await seed.workflow({ name: 'Upper case' }, space.id);
  await seed.version(upper.id, { nodes: { 'a-1': { type: 'SCRIPT', script: { source: 'tr a-z A-Z' } } } });
  const publish = () =>
    system.callAs(caller, createSnapshot, { params: { id: upper.id }, body: { workflow_version_info: 'latest' } });
  const errors = async (uses: string) => (await validate({ uses })).errors;
  expect(await errors('upper-case')).toMatchObject([{ hint: expect.not.stringContaining('published') }]);
  await publish();
  const body = { name: 'Upper case', workflow: upper.id };
  const hint = `A workflow was published as "Upper case". To use it, add it as a module: \`POST /library/module\` with ${JSON.stringify(body)}.`;
  for (const uses of ['Upper case', 'upper-case'])
    expect(await errors(uses)).toMatchObject([{ code: 'unknown_library_module', hint }]);
  expect(await seededErrors('Upper case')).toMatchObject([{ hint: expect.not.stringContaining('published') }]);
  const module = await system.callAs(caller, createModule, { body });
  expect(module).toMatchObject({ name: 'Upper case', type: 'MODULE', workflow: upper.id });
  const { data } = await save({ uses: 'upper-case' });
  expect(data.nodes['one-1']).toMatchObject({ uses: 'upper-case', id: module.id, type: 'WORKFLOW' });
});

/** The errors of another vault. */
const seededErrors = async (uses: string) => {
  const { validate } = await seeded();
  return (await validate({ uses })).errors;
};

it('an import fills in library modules, and its export imports to equal data', async () => {
  const { caller, space } = await seeded();
  const importData = (body: object) =>
    system.callAs(caller, importWorkflow, {
      query: { space: space.id },
      body: body as Request<typeof importWorkflow>['body'],
    });
  const read = async (id: string) =>
    (await system.callAs(caller, getVersion, { params: { id, versionId: 'latest' } })).data;
  const { id } = await importData({ millrace: 1, name: 'A', data: { nodes: { 'head-1': { uses: 'head' } } } });
  const { content } = await system.callAs(caller, exportWorkflow, { params: { id } });
  const again = await importData({ yaml: content });
  expect(await read(again.id)).toEqual(await read(id));
  expect(await read(id)).toMatchObject({ nodes: { 'head-1': { id: moduleId('head'), uses: 'head' } } });
});

it('a node that names a version of its module is a copy of that version', async () => {
  const { caller, save, validate, addScript } = await seeded();
  const { id } = await addScript('versioned', 'echo 1');
  await system.callAs(caller, createModuleVersion, { params: { id }, body: { script: { source: 'echo 2' } } });
  const first = await save({ uses: 'versioned', module_version: 1 });
  expect(first.data.nodes['one-1']).toMatchObject({ module_version: 1, script: { source: 'echo 1' } });
  const { errors } = await validate({ uses: 'versioned', module_version: 3 });
  expect(errors).toMatchObject([
    { node: 'one-1', message: expect.stringContaining('no version 3'), hint: expect.stringContaining('Remove') },
  ]);
});

it('the compact form of an export has only what was set on a copied node, and imports to equal data', async () => {
  const { caller, id, space, save, addScript } = await seeded();
  const module = await addScript('short', 'echo 1');
  const node = { uses: 'short', module_version: 1, meta: { label: 'first' } };
  const { data } = await save(node);
  const params = { id: module.id };
  await system.callAs(caller, createModuleVersion, { params, body: { script: { source: 'echo 2' } } });
  const query = { form: 'compact', format: 'json' } as const;
  const exported = async () => (await system.callAs(caller, exportWorkflow, { params: { id }, query })).content;
  const yaml = await exported();
  expect(JSON.parse(yaml)).toMatchObject({ data: { nodes: { 'one-1': node } } });
  expect((JSON.parse(yaml) as { data: { nodes: Nodes } }).data.nodes['one-1']).toEqual(node);
  const again = await system.callAs(caller, importWorkflow, { query: { space: space.id }, body: { yaml } });
  const read = await system.callAs(caller, getVersion, { params: { id: again.id, versionId: 'latest' } });
  expect(read.data).toEqual(data);
  // Another module with the name: the node could not be completed from it.
  await addScript('Short');
  await system.callAs(caller, deleteModule, { params });
  expect(JSON.parse(await exported())).toMatchObject({ data: { nodes: { 'one-1': { type: 'SCRIPT' } } } });
});

it.each([
  [{ uses: 'prot-scan' }, 'body.data.nodes.one-1.uses', 'Did you mean "port-scan"?'],
  [{ uses: randomUUID() }, 'body.data.nodes.one-1.uses', 'GET /library/module'],
  [{ uses: 'port-scan', inputs: { prots: '1' } }, 'body.data.nodes.one-1.inputs.prots', 'Did you mean "ports"?'],
])('a node that cannot be filled in is refused with a hint: %j', async (node, place, hint) => {
  const { save, validate } = await seeded();
  const errors = [expect.objectContaining({ node: 'one-1', hint: expect.stringContaining(hint) })];
  await expect(save(node)).rejects.toMatchObject({
    code: 'validation_error',
    details: { [place]: expect.any(String), errors },
  });
  expect((await validate(node)).errors).toEqual(errors);
});

it('validation checks a node after it is filled in', async () => {
  const { validate } = await seeded();
  const { errors, warnings } = await validate({ uses: 'port-scan' });
  expect(errors).toMatchObject([{ code: 'missing_input', node: 'one-1', port: 'file' }]);
  expect(warnings).toEqual([]);
});

it('a name of several modules is refused with their ids, and a module of another vault is not found', async () => {
  const { save, addScript } = await seeded();
  const own = await addScript('port-scan');
  const refused = save({ uses: 'port-scan' });
  const hint = expect.stringMatching(new RegExp(`${moduleId('port-scan')}.*${own.id}`));
  await expect(refused).rejects.toMatchObject({ details: { errors: [{ hint }] } });
  expect((await save({ uses: own.id })).data.nodes['one-1']).toMatchObject({ id: own.id });
  const outsider = await seeded();
  await expect(outsider.save({ uses: own.id })).rejects.toMatchObject({ code: 'validation_error' });
});

it('nodes whose modules are too large together are refused before they are filled in', async () => {
  const { caller, id, addScript } = await seeded();
  await addScript('huge', '#'.repeat(900_000));
  const nodes = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`n-${at}`, { uses: 'huge' }]));
  await expect(seedAs(system.callAs, caller).version(id, { nodes })).rejects.toMatchObject({
    code: 'payload_too_large',
  });
});

it('a module can be read by its name', async () => {
  const { caller } = await seeded();
  const get = (name: string) => system.callAs(caller, getModule, { params: { id: name } });
  expect(await get('port-scan')).toEqual(await get(moduleId('port-scan')));
  await expect(get('no-such-module')).rejects.toMatchObject({ code: 'not_found' });
});

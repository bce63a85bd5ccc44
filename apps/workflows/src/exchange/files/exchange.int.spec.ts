import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Request } from '@millrace/contracts/kit/operation';
import { exportWorkflow, importWorkflow } from '@millrace/contracts/workflows/exchange';
import { getVersion } from '@millrace/contracts/workflows/versions';
import { listWorkflows, updateWorkflow } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs, chainOf, edge, moduleNode, script } from '../../testing/seed.js';
import { readYaml } from '../yaml/read-yaml.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

type Body = Request<typeof importWorkflow>['body'];

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const space = await seed.space({ name: 'Home' });
  const importDocument = (body: object, query: object = {}, as = caller) =>
    system.callAs(as, importWorkflow, { query: { space: space.id, ...query }, body: body as Body });
  const take = (id: string, query: object = {}) => system.callAs(caller, exportWorkflow, { params: { id }, query });
  const read = async (id: string) =>
    (await system.callAs(caller, getVersion, { params: { id, versionId: 'latest' } })).data;
  const count = async () => (await system.callAs(caller, listWorkflows)).count;
  return { caller, seed, space, importDocument, take, read, count };
};

const document = (data: object, more: object = {}) => ({ millrace: 1, name: 'Brought', data, ...more });

describe('an export of a workflow', () => {
  it('contains name, descriptions, origin and data', async () => {
    const { caller, seed, space, take } = await seeded();
    const workflow = await seed.workflow({ name: 'Port scan: all/fast', description: 'Looks' }, space.id);
    const body = { long_description: '# Long\n\ntext' };
    await system.callAs(caller, updateWorkflow, { params: { id: workflow.id }, body });
    const version = await seed.version(workflow.id, chainOf(2));
    const yaml = await take(workflow.id);
    expect(yaml).toMatchObject({ name: 'Port scan- all-fast.yaml', type: 'application/yaml; charset=utf-8' });
    const json = await take(workflow.id, { format: 'json', version: version.id });
    expect(json).toMatchObject({ name: 'Port scan- all-fast.json', type: 'application/json; charset=utf-8' });
    expect(readYaml(yaml.content)).toEqual(JSON.parse(json.content));
    expect(JSON.parse(json.content)).toEqual({
      millrace: 1,
      name: 'Port scan: all/fast',
      description: 'Looks',
      long_description: '# Long\n\ntext',
      metadata: {
        workflow: workflow.id,
        version: version.id,
        version_number: 1,
        version_created_date: version.created_date,
      },
      data: chainOf(2),
    });
  });

  it('contains the requested version, and is not found if there is none', async () => {
    const { seed, take } = await seeded();
    const { id, version } = await seed.saved(chainOf(1));
    await seed.version(id, chainOf(2));
    const { content } = await take(id, { version: version.id, format: 'json' });
    expect(JSON.parse(content)).toMatchObject({ data: chainOf(1) });
    const empty = await seed.workflow();
    await expect(take(empty.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(take(id, { version: randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an import of a workflow', () => {
  it('creates a workflow with one version, in the named project if there is one', async () => {
    const { caller, seed, space, importDocument, read } = await seeded();
    const project = await seed.project(space.id);
    const imported = document(chainOf(2), {
      description: 'Of a file',
      long_description: 'More',
      metadata: { x: 1 },
      own: 1,
    });
    const made = await importDocument(imported, { project: project.id });
    expect(made).toMatchObject({
      name: 'Brought',
      description: 'Of a file',
      long_description: 'More',
      space_info: space.id,
      project_info: project.id,
      author: caller.user,
      latest_version_info: expect.any(String),
    });
    expect(await read(made.id)).toEqual(chainOf(2));
    expect(await importDocument(document({}), { name: 'Other' })).toMatchObject({ name: 'Other', description: null });
  });

  it.each([
    ['yaml', 'full'],
    ['json', 'full'],
    ['yaml', 'compact'],
    ['json', 'compact'],
  ] as const)('of an export as %s in the %s form creates an equal version', async (format, form) => {
    const { seed, importDocument, take, read } = await seeded();
    const data = {
      ...chainOf(2, 'echo "1"\n\n# ü 💡 \u2028\ttab\nend'),
      zebra: { b: 1, a: '2020-01-01', '1': 'yes', null: null, 'a: b': '#', '': '', ' ': ' ' },
      config: { big: 9007199254740991, small: 1e-7, huge: 1e300, empty: [{}, [], ''], text: 'no' },
      outputNodes: {},
    };
    const { id, version } = await seed.saved(data);
    const { content } = await take(id, { format, form });
    const made = await importDocument(format === 'yaml' ? { yaml: content } : (JSON.parse(content) as object));
    expect(JSON.stringify(await read(made.id))).toBe(JSON.stringify(version.data));
  });

  it('of an export creates an equal version, also with unknown keys', async () => {
    const { seed, importDocument, take, read } = await seeded();
    const { id } = await seed.workflow();
    const storable = (value: unknown) => !/\\u0000|__proto__|constructor/.test(JSON.stringify(value));
    const unknown = fc
      .object({ key: fc.string({ unit: 'grapheme' }), maxDepth: 3, withNullPrototype: false })
      .filter(storable);
    await fc.assert(
      fc.asyncProperty(unknown, async (own) => {
        const data = JSON.parse(JSON.stringify({ ...chainOf(1), own })) as object;
        await seed.version(id, data);
        const made = await importDocument({ yaml: (await take(id)).content });
        expect(JSON.stringify(await read(made.id))).toBe(JSON.stringify(data));
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    [
      'a cycle',
      { ...chainOf(2), connections: [edge('step-1/file', 'step-2/file'), edge('step-2/file', 'step-1/file')] },
      'cycle',
    ],
    ['an unknown module', { nodes: moduleNode('m-1', randomUUID()) }, 'unknown_module'],
    ['a node without a type', { nodes: { 'a-1': {} } }, 'malformed'],
  ])('with %s is refused like a save, and leaves nothing', async (_, data, code) => {
    const { importDocument, count } = await seeded();
    for (const body of [document(data), { yaml: JSON.stringify(document(data)) }]) {
      await expect(importDocument(body)).rejects.toMatchObject({
        code: 'validation_error',
        details: { errors: expect.arrayContaining([expect.objectContaining({ code })]) },
      });
    }
    expect(await count()).toBe(0);
  });

  it.each([
    ['text that is no YAML', 'a: [', 'body.yaml'],
    ['a list', '- a\n', 'body'],
    ['nothing', '', 'body'],
    ['no name', 'millrace: 1\ndata: {}\n', 'body.name'],
    ['an empty name', 'millrace: 1\nname: ""\ndata: {}\n', 'body.name'],
    ['another format', 'millrace: 2\nname: x\ndata: {}\n', 'body.millrace'],
    ['no data', 'millrace: 1\nname: x\n', 'body.data'],
    ['nodes that are a list', 'millrace: 1\nname: x\ndata: {nodes: []}\n', 'body.data.nodes'],
    ['an edge without ends', 'millrace: 1\nname: x\ndata: {connections: [{}]}\n', 'body.data.connections.0.source'],
  ])('with %s is refused with the position of the problem', async (_, yaml, place) => {
    const { importDocument, count } = await seeded();
    await expect(importDocument({ yaml })).rejects.toMatchObject({
      code: 'validation_error',
      details: { [place]: expect.any(String) },
    });
    expect(await count()).toBe(0);
  });

  it('of more than 10 MiB of data is refused', async () => {
    const { importDocument, count } = await seeded();
    const data = { annotations: { note: 'x'.repeat(10.2 * 1024 * 1024) } };
    await expect(importDocument(document(data))).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(await count()).toBe(0);
  });

  it('that fails in the middle leaves nothing', async () => {
    const { importDocument, count } = await seeded();
    const marked = `half way ${randomUUID()}`;
    await system.database.query(
      `CREATE FUNCTION pg_temp_fail() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN IF position('${marked}' in NEW.data) > 0 THEN RAISE 'disk full'; END IF; RETURN NEW; END $$`,
      [],
    );
    await system.database.query(
      'CREATE TRIGGER fail BEFORE INSERT ON workflows.version FOR EACH ROW EXECUTE FUNCTION pg_temp_fail()',
      [],
    );
    const broken = document({ nodes: script('a-1', `echo ${marked}`) });
    await expect(importDocument(broken)).rejects.toMatchObject({ code: 'internal_error' });
    expect(await count()).toBe(0);
    await importDocument(document(chainOf(1)));
    expect(await count()).toBe(1);
  });

  it('requires the right to edit in the space, and a project of that space', async () => {
    const { caller, seed, space, importDocument, count } = await seeded();
    const otherProject = await seed.project((await seed.space()).id);
    const reader = memberCaller(caller, { [space.id]: 'read' });
    await expect(importDocument(document({}), {}, reader)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(importDocument(document({}), {}, memberCaller(caller, {}))).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(importDocument(document({}), { space: 'x' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(importDocument(document({}), { project: otherProject.id })).rejects.toMatchObject({
      details: { 'query.project': expect.any(String) },
    });
    expect(await count()).toBe(0);
  });

  it('under one idempotency key creates one workflow', async () => {
    const { caller, space, count } = await seeded();
    const request = { query: { space: space.id }, body: document(chainOf(1)) as Body };
    const importOnce = () => system.callAs(caller, importWorkflow, request, { idempotencyKey: 'import-1' });
    const [one, two] = [await importOnce(), await importOnce()];
    expect(two).toEqual(one);
    expect(await count()).toBe(1);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import { operations } from '@millrace/contracts/registry';
import {
  createModule,
  createModuleVersion,
  deleteModule,
  getModule,
  listModules,
  listModuleVersions,
  updateModule,
} from '@millrace/contracts/workflows/library';
import { validateWorkflow } from '@millrace/contracts/workflows/workflows';
import { moduleId } from '@millrace/library/module-id';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs } from '../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

type Body = Request<typeof createModule>['body'];

const TOOL = `name: Sort lines
description: Puts lines in order
category: Text
source_url: https://example.org/sort
command: [sort]
output_command: '>'
inputs:
  unique: { type: boolean, flag: -u, default: true }
  file: { type: file, required: true }
`;
const SCRIPT = 'name: shout\ndescription: Louder\nscript_type: bash\nscript: |\n  tr a-z A-Z < in/*/*\n';

const as = (caller: Caller) => ({
  caller,
  create: (body: Body) => system.callAs(caller, createModule, { body }),
  get: (id: string) => system.callAs(caller, getModule, { params: { id } }),
  patch: (id: string, body: object) => system.callAs(caller, updateModule, { params: { id }, body }),
  release: (id: string, body: Body) => system.callAs(caller, createModuleVersion, { params: { id }, body }),
  versions: (id: string, query = {}) => system.callAs(caller, listModuleVersions, { params: { id }, query }),
  remove: (id: string) => system.callAs(caller, deleteModule, { params: { id } }),
});
const own = () => as(ownerCaller());
const invalid = (...fields: string[]) => ({
  code: 'validation_error',
  details: Object.fromEntries(fields.map((field) => [`body.${field}`, expect.any(String)])),
});

describe('a module of a vault', () => {
  it('can be created from a tool file, with a node that is ready to use', async () => {
    const { caller, create, get } = own();
    const made = await create({ yaml: TOOL });
    expect(made).toMatchObject({
      name: 'Sort lines',
      description: 'Puts lines in order',
      type: 'TOOL',
      category: 'Text',
      source_url: 'https://example.org/sort',
      author: caller.user,
      vault: caller.vault,
      built_in: false,
      version: 1,
      container: { command: ['sort'] },
      output_command: '>',
      node: { id: made.id, name: 'Sort lines-1', type: 'TOOL', meta: { label: 'Sort lines' } },
    });
    expect(made).not.toHaveProperty('license_info');
    expect(await get(made.id)).toEqual(made);
    const { id } = await seedAs(system.callAs, caller).workflow();
    const node = {
      ...made.node,
      inputs: { ...(made.node['inputs'] as object), file: { type: 'FILE', visible: false } },
    };
    const data = { nodes: { 'Sort lines-1': node } };
    expect(await system.callAs(caller, validateWorkflow, { params: { id }, body: { data } })).toMatchObject({
      errors: [],
    });
  });

  it('can be created from a script file', async () => {
    const made = await own().create({ yaml: SCRIPT });
    expect(made).toMatchObject({ type: 'SCRIPT', script_type: 'bash', script: { source: 'tr a-z A-Z < in/*/*\n' } });
  });

  it('can be created from fields', async () => {
    const { create } = own();
    const inputs = [{ name: 'words', type: 'STRING' as const, command: '-w', value: 'a' }];
    expect(await create({ name: 'count', container: { command: 'wc -l' }, inputs })).toMatchObject({
      type: 'TOOL',
      container: { command: 'wc -l' },
      inputs: [{ name: 'words', order: 1 }],
      outputs: [{ name: 'file' }, { name: 'folder' }],
      node: { inputs: { words: { type: 'STRING', order: 1, command: '-w', value: 'a', visible: true } } },
    });
    const script = { source: 'print(1)' };
    expect(await create({ name: 'py', type: 'SCRIPT', script, script_type: 'python' })).toMatchObject({
      node: { type: 'SCRIPT', script, script_type: 'python' },
    });
  });

  it('reports the position of a problem in its file', async () => {
    const { create } = own();
    const yaml = 'name: a\ncommand: [sort]\ninputs:\n  x: { type: number }\n';
    await expect(create({ yaml })).rejects.toMatchObject({
      code: 'validation_error',
      details: {
        'body.yaml': expect.stringContaining('line 4, column 14: inputs.x.type'),
        errors: [{ field: 'inputs.x.type', line: 4, column: 14 }],
      },
    });
    for (const bad of [
      '',
      '[',
      '- 1',
      'name: a',
      '&a [*a]',
      '['.repeat(9999),
      `${SCRIPT}examples: [{ name: a, inputs: { "\\0": 1 }, output: a }]`,
    ]) {
      await expect(create({ yaml: bad })).rejects.toMatchObject(invalid('yaml'));
    }
  });

  it.each<[string, Body, string[]]>([
    ['no name', { container: { command: 'wc' } }, ['name']],
    ['no type', { name: 'a' }, ['type']],
    ['a file and fields', { yaml: TOOL, name: 'a' }, ['name']],
    ['a tool without a command', { name: 'a', type: 'TOOL' }, ['container']],
    ['a tool with an empty command', { name: 'a', container: { command: ' ' } }, ['container']],
    ['a script without a source', { name: 'a', script: { source: ' ' } }, ['script']],
    [
      'a script that is a tool too',
      { name: 'a', script: { source: 'b' }, container: { command: 'wc' } },
      ['container'],
    ],
    ['nothing that it wraps', { name: 'a', type: 'MODULE' }, ['snapshot']],
    ['NUL', { name: 'a', script: { source: 'a\0' } }, ['script.source']],
    ['half a letter', { name: 'a', script: { source: 'a\ud800' } }, ['script.source']],
    [
      'two inputs of one name',
      { name: 'a', container: { command: 'wc' }, inputs: ['a', 'a'].map((name) => ({ name, type: 'STRING' })) },
      ['inputs.1.name'],
    ],
    [
      'an output that no script has',
      { name: 'a', script: { source: 'b' }, outputs: [{ name: 'result', type: 'FILE' }] },
      ['outputs.0'],
    ],
    [
      'a file that is a folder',
      { name: 'a', script: { source: 'b' }, outputs: [{ name: 'file', type: 'FOLDER' }] },
      ['outputs.0'],
    ],
    [
      'an input whose default is of another type',
      { name: 'a', container: { command: 'wc' }, inputs: [{ name: 'b', type: 'BOOLEAN', value: 'maybe' }] },
      ['inputs.b'],
    ],
  ])('is refused with %s', async (_, body, fields) => {
    const { create } = own();
    await expect(create(body)).rejects.toMatchObject(invalid(...fields));
  });

  it('may have the same name as another one, because its id identifies it', async () => {
    const { create } = own();
    const [one, other] = [await create({ yaml: SCRIPT }), await create({ yaml: SCRIPT })];
    expect(other.id).not.toBe(one.id);
  });

  it('can change its name and description without a new version', async () => {
    const { create, patch, get } = own();
    const { id } = await create({ yaml: SCRIPT });
    expect(await patch(id, { name: 'yell' })).toMatchObject({ name: 'yell', description: 'Louder', version: 1 });
    expect(await patch(id, { description: '' })).not.toHaveProperty('description');
    expect((await get(id)).node).toMatchObject({ name: 'yell-1' });
    expect(operations.some(({ method, path }) => method === 'PUT' && path.startsWith('/library/module'))).toBe(false);
  });

  it('gets a version for each change of its definition only', async () => {
    const { caller, create, release, versions, get } = own();
    const { id } = await create({ yaml: SCRIPT });
    expect(await release(id, { yaml: SCRIPT })).toMatchObject({ version: 1 });
    expect(await release(id, { yaml: `${SCRIPT}category: Loud\n` })).toMatchObject({ version: 1, category: 'Loud' });
    expect(await release(id, { script: { source: 'cat' } })).toMatchObject({
      version: 2,
      node: { script: { source: 'cat' } },
    });
    const { results, count } = await versions(id);
    expect(count).toBe(2);
    expect(results).toMatchObject([
      { number: 2, author: caller.user, script_type: 'bash' },
      { number: 1, script_type: 'bash' },
    ]);
    for (const version of results) expect(version).not.toHaveProperty('script');
    expect((await versions(id, { page: 2, page_size: 1, ordering: 'number' })).results).toMatchObject([{ number: 2 }]);
    expect(await get(id)).toMatchObject({ name: 'shout', category: 'Loud' });
  });

  it('numbers its versions without a gap if several are created at once', async () => {
    const { create, release, versions } = own();
    const { id } = await create({ yaml: SCRIPT });
    await Promise.all([1, 2, 3, 4].map((at) => release(id, { script: { source: `echo ${at}` } })));
    expect((await versions(id)).results.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1]);
  });

  it('keeps its type', async () => {
    const { create, release } = own();
    const { id } = await create({ yaml: SCRIPT });
    await expect(release(id, { yaml: TOOL })).rejects.toMatchObject(invalid('yaml'));
    await expect(release(id, { type: 'TOOL', container: { command: 'wc' } })).rejects.toMatchObject(invalid('type'));
  });

  it('publishes each of its versions in the transaction that creates it', async () => {
    const { caller, create, release } = own();
    const { id } = await create({ yaml: SCRIPT });
    await release(id, { yaml: SCRIPT });
    await release(id, { script: { source: 'cat' } });
    const published = await system.database.query(
      "SELECT payload->'number' AS number FROM messaging.outbox WHERE name = 'workflows.module.released' AND payload->>'vault' = $1 ORDER BY id",
      [caller.vault],
    );
    expect(published).toEqual([{ number: 1 }, { number: 2 }]);
  });

  it('can be changed and deleted by its author and by administrators of the vault', async () => {
    const owner = own();
    const author = as(memberCaller(owner.caller, {}));
    const other = as(memberCaller(owner.caller, {}));
    const admin = as({ ...memberCaller(owner.caller, {}), vaultRole: 'space_admin' });
    const { id } = await author.create({ yaml: SCRIPT });
    expect(await other.get(id)).toMatchObject({ id });
    const denied = { code: 'forbidden' };
    await expect(other.patch(id, { name: 'x' })).rejects.toMatchObject(denied);
    await expect(other.release(id, { script: { source: 'x' } })).rejects.toMatchObject(denied);
    await expect(other.remove(id)).rejects.toMatchObject(denied);
    for (const { patch } of [author, admin, owner]) expect(await patch(id, { name: 'x' })).toMatchObject({ name: 'x' });
    expect(await author.remove(id)).toBeNull();
    await expect(author.get(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(author.versions(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not visible in other vaults', async () => {
    const { id } = await own().create({ yaml: SCRIPT });
    const outsider = own();
    const notFound = { code: 'not_found' };
    await expect(outsider.get(id)).rejects.toMatchObject(notFound);
    await expect(outsider.patch(id, { name: 'x' })).rejects.toMatchObject(notFound);
    await expect(outsider.release(id, { script: { source: 'x' } })).rejects.toMatchObject(notFound);
    await expect(outsider.remove(id)).rejects.toMatchObject(notFound);
    const { results } = await system.callAs(outsider.caller, listModules, { query: { built_in: 'false' } });
    expect(results).toEqual([]);
    for (const no of ['x', randomUUID()]) await expect(outsider.get(no)).rejects.toMatchObject(notFound);
  });
});

describe('a built-in module', () => {
  const id = moduleId('sort-lines');

  it('is visible to all users and cannot be changed', async () => {
    const { get, patch, release, remove } = own();
    const module = await get(id);
    expect(module).toMatchObject({ built_in: true, name: 'sort-lines', help: expect.any(String), node: { id } });
    expect(module).not.toHaveProperty('vault');
    const message = `Module ${id} is built in and cannot be changed. Create a module of your own instead.`;
    const denied = { code: 'forbidden', message };
    await expect(patch(id, { name: 'x' })).rejects.toMatchObject(denied);
    await expect(release(id, { yaml: TOOL })).rejects.toMatchObject(denied);
    await expect(remove(id)).rejects.toMatchObject(denied);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { validateWorkflow } from '@millrace/contracts/workflows/workflows';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, chainOf } from '../testing/seed.js';

let system: System;
let database: Database;
beforeAll(async () => {
  system = await startApps([start]);
  database = new Database({ url: system.database.url, service: 'workflows', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await system.close();
});

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const space = await seed.space();
  const workflow = await seed.saved(chainOf(2), space.id);
  const check = (data: object, as = caller) =>
    system.callAs(as, validateWorkflow, { params: { id: workflow.id }, body: { data } });
  return { caller, seed, space, workflow, check };
};

type Seeded = Awaited<ReturnType<typeof seeded>>;

/** Rows as the operations for secrets write them; these tests do not read the value. */
const addVariable = (
  { caller }: Pick<Seeded, 'caller'>,
  name: string,
  scope: { scopeType: string; spaceId?: string; userId?: string },
) =>
  database.client.secretVariable.create({
    data: { id: newId(), vaultId: caller.vault, name, value: Buffer.from('x'), author: caller.user, ...scope },
  });

const addModule = (vaultId: string | null, name: string) =>
  database.client.libraryModule.create({ data: { id: newId(), vaultId, name, type: 'TOOL', latest: 1 } });

const tool = (name: string, more: object) => ({
  nodes: { [name]: { name, type: 'TOOL', container: { command: 'sort', image: 'debian:12' }, inputs: {}, ...more } },
});

const naming = (...names: string[]) =>
  tool('sort-1', {
    inputs: { t: { type: 'STRING', order: 0, value: names.map((name) => `\${{vars.${name}}}`).join(' ') } },
  });

const unknown = (warnings: { code: string; message: string }[]) =>
  warnings.flatMap(({ code, message }) => (code === 'unknown_variable' ? [/variable "(.*)"/.exec(message)?.[1]] : []));

it('validation refuses too many nodes before it reads them', async () => {
  const { check } = await seeded();
  const nodes = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`n-${at}`, { id: `m-${at}` }]));
  expect(await check({ nodes })).toMatchObject({ errors: [{ code: 'too_many_nodes', path: 'nodes' }], warnings: [] });
});

describe('variables in validation', () => {
  it("come from the vault, the workflow's space and the caller, in addition to the built-in ones", async () => {
    const here = await seeded();
    const [there, other] = [await seeded(), await here.seed.space()];
    await addVariable(here, 'OF_VAULT', { scopeType: 'vault' });
    await addVariable(here, 'OF_SPACE', { scopeType: 'space', spaceId: here.space.id });
    await addVariable(here, 'OF_ME', { scopeType: 'user', userId: here.caller.user });
    await addVariable(here, 'OF_OTHER_SPACE', { scopeType: 'space', spaceId: other.id });
    await addVariable(here, 'OF_OTHER_USER', { scopeType: 'user', userId: newId() });
    await addVariable(there, 'OF_OTHER_VAULT', { scopeType: 'vault' });
    const others = ['OF_OTHER_SPACE', 'OF_OTHER_USER', 'OF_OTHER_VAULT'];
    const data = naming('OF_VAULT', 'OF_SPACE', 'OF_ME', 'VAULT_NAME', 'USER_ID', 'RUN_ID', ...others);
    const { errors, warnings } = await here.check(data);
    expect(errors).toEqual([]);
    expect(unknown(warnings)).toEqual(others);
  });

  it('are suggested for a misspelt name', async () => {
    const here = await seeded();
    await addVariable(here, 'API_TOKEN', { scopeType: 'vault' });
    expect((await here.check(naming('API_TOKNE'))).warnings).toEqual([
      {
        code: 'unknown_variable',
        message: expect.stringContaining('"API_TOKNE"'),
        node: 'sort-1',
        port: 't',
        hint: 'Did you mean "API_TOKEN"?',
      },
    ]);
  });

  it('stay hidden from users who may only read in the space', async () => {
    const here = await seeded();
    await addVariable(here, 'API_TOKEN', { scopeType: 'space', spaceId: here.space.id });
    const reader = memberCaller(here.caller, { [here.space.id]: 'read' });
    const writer = memberCaller(here.caller, { [here.space.id]: 'write' });
    const data = naming('API_TOKEN', 'API_TOKNE');
    expect((await here.check(data, reader)).warnings).toEqual([]);
    expect(unknown((await here.check(data, writer)).warnings)).toEqual(['API_TOKNE']);
  });
});

describe('library modules in validation', () => {
  it('are found if they are built in or belong to the vault; another one is reported with its node', async () => {
    const here = await seeded();
    const [builtIn, mine] = [await addModule(null, 'sort'), await addModule(here.caller.vault, 'sort-mine')];
    const foreign = await addModule(newId(), 'sort');
    for (const { id } of [builtIn, mine]) {
      expect((await here.check(tool('sort-1', { id: id.toUpperCase() }))).warnings).toEqual([]);
    }
    for (const id of [foreign.id, newId(), 'sort']) {
      const { errors, warnings } = await here.check(tool('sort-1', { id }));
      expect(errors).toEqual([]);
      expect(warnings).toMatchObject([
        {
          code: 'unknown_library_module',
          node: 'sort-1',
          path: 'nodes.sort-1.id',
          hint: expect.stringContaining(builtIn.id),
        },
      ]);
    }
  });
});

describe('a validation result', () => {
  it('lists the nodes of a cycle', async () => {
    const { check } = await seeded();
    const { nodes, connections } = chainOf(2);
    const back = { source: { id: 'output/step-2/file' }, destination: { id: 'input/step-1/file' } };
    expect((await check({ nodes, connections: [...connections, back] })).errors).toMatchObject([
      { code: 'cycle', nodes: ['step-1', 'step-2', 'step-1'] },
    ]);
  });

  it('with warnings only does not prevent a save', async () => {
    const here = await seeded();
    const data = { ...naming('GONE') };
    Object.assign(data.nodes['sort-1'] ?? {}, { id: newId(), container: { command: 'sort', image: 'debian' } });
    const { errors, warnings } = await here.check(data);
    expect(errors).toEqual([]);
    expect(warnings.map(({ code }) => code).sort()).toEqual([
      'image_without_tag',
      'unknown_library_module',
      'unknown_variable',
    ]);
    expect(await here.seed.version(here.workflow.id, data)).toMatchObject({ number: 2 });
  });
});

describe('deeply nested data', () => {
  const nested = (levels: number) => Array.from({ length: levels }).reduce<object>((inner) => ({ config: inner }), {});

  it.each([201, 2_000])('is refused by validation and by a save: %s levels', async (levels) => {
    const { check, seed, workflow } = await seeded();
    const data = nested(levels);
    expect((await check(data)).errors).toMatchObject([{ code: 'bad_text', hint: expect.any(String) }]);
    await expect(seed.version(workflow.id, data)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it.each([4_000, 6_000, 10_000, 1_000_000])('is an error of the client: %s levels', async (levels) => {
    const { check, seed, workflow } = await seeded();
    const data = nested(levels);
    const result = await check(data).catch((error: unknown) => error);
    expect(result).toMatchObject(
      result instanceof Error ? { code: 'validation_error' } : { errors: [{ code: 'bad_text' }] },
    );
    await expect(seed.version(workflow.id, data)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

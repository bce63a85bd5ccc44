import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Request } from '@millrace/contracts/kit/operation';
import { exportWorkflow, importWorkflow } from '@millrace/contracts/workflows/exchange';
import { getVersion } from '@millrace/contracts/workflows/versions';
import { saveWorkflowFile, validateWorkflowFile } from '@millrace/contracts/workflows/workflow-files';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { chainOf, seedAs } from '../../testing/seed.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const GOOD = `name: Two steps
workflow:
  nodes:
    a-1: { type: SCRIPT, script: { source: echo hello } }
    b-1: { type: SCRIPT, script: { source: cat in/a-1/* } }
  connections:
    - { from: a-1/file, to: b-1/file }
execute:
  inputs: { text: ./file.txt }
`;
const CYCLE = GOOD.replace('execute:', '    - { from: b-1/file, to: a-1/file }\nexecute:');
const NO_SOURCE = GOOD.replace('script: { source: cat in/a-1/* } ', 'script: {} ');

const seeded = async () => {
  const caller = ownerCaller();
  const seed = seedAs(system.callAs, caller);
  const space = await seed.space({ name: 'Home' });
  const workflow = await seed.workflow({ name: 'W' }, space.id);
  const save = (yaml: string, more: object = {}) =>
    system.callAs(caller, saveWorkflowFile, { params: { id: workflow.id }, body: { yaml, ...more } });
  const validate = (yaml: string, target: object = { workflow: workflow.id }, as = caller) =>
    system.callAs(as, validateWorkflowFile, { body: { yaml, ...target } });
  const exported = async () => {
    const query = { form: 'compact' as const };
    return (await system.callAs(caller, exportWorkflow, { params: { id: workflow.id }, query })).content;
  };
  const data = async () =>
    (await system.callAs(caller, getVersion, { params: { id: workflow.id, versionId: 'latest' } })).data;
  return { caller, seed, space, workflow, save, validate, exported, data };
};

describe('saving a workflow file', () => {
  it('saves its connections in the form of a version, and exports them in the compact form', async () => {
    const { save, data, exported } = await seeded();
    const saved = await save(GOOD);
    expect(saved).toMatchObject({ number: 1, errors: [] });
    expect(await data()).toMatchObject({
      connections: [{ source: { id: 'output/a-1/file' }, destination: { id: 'input/b-1/file' } }],
    });
    const text = await exported();
    expect(text).toContain('- { from: a-1/file, to: b-1/file }');
    expect((await save(text, { expected_version_id: saved.id })).id).toBe(saved.id);
  });

  it('saves nothing that can never run, and names the line of each problem', async () => {
    const { save, data } = await seeded();
    const error = await save(CYCLE).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'validation_error', details: { errors: [{ code: 'cycle' }] } });
    await expect(data()).rejects.toMatchObject({ code: 'not_found' });
    const unknown = GOOD.replace('to: b-1/file', 'to: c-1/file');
    await expect(save(unknown)).rejects.toMatchObject({
      details: { errors: [expect.objectContaining({ line: 7, column: 29 })] },
    });
  });

  it('saves a draft, and lists what a run would refuse', async () => {
    const { save } = await seeded();
    expect((await save(NO_SOURCE)).errors).toMatchObject([{ code: 'script_without_source', node: 'b-1', line: 5 }]);
  });

  it('is refused if another version was saved since', async () => {
    const { save, seed, workflow } = await seeded();
    const first = await save(GOOD);
    const second = await seed.version(workflow.id, chainOf(2));
    await expect(save(NO_SOURCE, { expected_version_id: first.id })).rejects.toMatchObject({
      code: 'version_conflict',
      details: { latest_version_id: second.id },
    });
  });

  it.each([
    ['a: [', { line: 1 }],
    ['name: x', { 'body.data': expect.any(String) }],
    ['- 1', { body: expect.any(String) }],
  ])('refuses %j, and says why', async (yaml, details) => {
    const { save } = await seeded();
    await expect(save(yaml)).rejects.toMatchObject({ code: 'validation_error', details });
  });
});

describe('validating a workflow file', () => {
  it('lists problems with their lines and changes nothing', async () => {
    const { validate, space, data } = await seeded();
    const typo = GOOD.replace('type: SCRIPT, script', 'retrys: 3, type: SCRIPT, script');
    expect(await validate(typo)).toMatchObject({ name: 'Two steps', errors: [], warnings: [{ node: 'a-1', line: 4 }] });
    expect(await validate(CYCLE, { space: space.id })).toMatchObject({ errors: [{ code: 'cycle' }] });
    await expect(data()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('needs exactly one of workflow and space, which the caller may read', async () => {
    const { validate, space, workflow, caller } = await seeded();
    await expect(validate(GOOD, {})).rejects.toThrow('must be given');
    await expect(validate(GOOD, { workflow: workflow.id, space: space.id })).rejects.toThrow('not both');
    const stranger = memberCaller(caller, {});
    await expect(validate(GOOD, undefined, stranger)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('importing a workflow file', () => {
  const importing = async () => {
    const { caller, space } = await seeded();
    return {
      caller,
      importFile: (body: Request<typeof importWorkflow>['body']) =>
        system.callAs(caller, importWorkflow, { query: { space: space.id }, body }),
    };
  };

  it('accepts the compact form', async () => {
    const { caller, importFile } = await importing();
    const { id } = await importFile({ yaml: GOOD });
    const version = await system.callAs(caller, getVersion, { params: { id, versionId: 'latest' } });
    expect(version.data).toMatchObject({ connections: [{ source: { id: 'output/a-1/file' } }] });
  });

  it('names the line of each problem, as saving the file does', async () => {
    const { importFile } = await importing();
    const { save } = await seeded();
    const broken = GOOD.replace('to: b-1/file', 'to: c-1/file');
    const details = { errors: [expect.objectContaining({ line: 7, column: 29 })] };
    await expect(importFile({ yaml: broken })).rejects.toMatchObject({ code: 'validation_error', details });
    const unknown = GOOD.replace('type: SCRIPT, script: { source: echo hello }', 'uses: sort-linse');
    const [imported, saved] = await Promise.all(
      [importFile({ yaml: unknown }), save(unknown)].map((request) => request.catch((error: unknown) => error)),
    );
    expect(imported).toMatchObject({
      details: { errors: [expect.objectContaining({ code: 'unknown_library_module', line: 4, column: 18 })] },
    });
    expect((imported as ValidationError).details).toEqual((saved as ValidationError).details);
  });

  it('names the fields of the body if it is not text', async () => {
    const { importFile } = await importing();
    const error = importFile({ millrace: 1, name: 'x', data: { nodes: { 'a-1': {} } } });
    await expect(error).rejects.toMatchObject({ details: { 'body.data.nodes.a-1.type': expect.any(String) } });
    await expect(error).rejects.not.toMatchObject({ details: { errors: [{ line: expect.any(Number) }] } });
  });
});

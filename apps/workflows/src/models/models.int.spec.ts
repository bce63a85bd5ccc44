import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listModels, setModel } from '@millrace/contracts/workflows/models';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs } from '../testing/seed.js';

let system: System;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-models-'));
  file = join(folder, 'models.yaml');
  await write('models: [{id: a/b, name: One, provider: own, extra: {kept: true}}]\n');
  system = await startApps([start], { MODELS_FILE: file });
});
afterAll(async () => {
  await system.close();
  await rm(folder, { recursive: true });
});

/** Replaces the file atomically, as an operator would. */
async function write(text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

const ids = async () => (await system.callAs(ownerCaller(), listModels)).results.map(({ id }) => id);

describe('the choice of a model', () => {
  it('returns the model and stores nothing', async () => {
    const caller = ownerCaller();
    const { id, space_info: space } = await seedAs(system.callAs, caller).workflow();
    const before = await system.database.query('SELECT * FROM workflows.workflow WHERE id = $1', [id]);
    const choose = (as = caller) => system.callAs(as, setModel, { params: { id }, body: { modelId: 'a/b' } });
    const model = { id: 'a/b', name: 'One', provider: 'own', extra: { kept: true } };
    expect(await choose()).toEqual({ success: true, modelId: 'a/b', model });
    expect(await system.database.query('SELECT * FROM workflows.workflow WHERE id = $1', [id])).toEqual(before);
    await expect(choose(memberCaller(caller, { [space]: 'execute' }))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('is refused with a list of models if it is not in the catalogue', async () => {
    const caller = ownerCaller();
    const { id } = await seedAs(system.callAs, caller).workflow();
    const refused = system.callAs(caller, setModel, { params: { id }, body: { modelId: 'a/c' } });
    await expect(refused).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.modelId': 'is not in the catalogue of models', hint: expect.stringContaining('a/b') },
    });
  });
});

describe('the catalogue of models', () => {
  it('is read again when its file changes, and stays if the file is invalid or missing', async () => {
    expect(await ids()).toEqual(['a/b']);
    await write('models: [{id: c, name: Two, provider: own}]\n');
    expect(await ids()).toEqual(['c']);
    for (const broken of ['models: [', 'models: [{id: d}]\n', 'models: &a [*a]\n', '']) {
      await write(broken);
      expect(await ids()).toEqual(['c']);
    }
    await rm(file);
    expect(await ids()).toEqual(['c']);
    await write('models: [{id: e, name: Three, provider: own}]\n');
    expect(await ids()).toEqual(['e']);
  });

  it.each([
    ['is not there', null, 'no such file'],
    ['is no YAML', 'models: [', 'line 1'],
    ['lacks a field', 'models: [{id: a, name: x}]', 'models.0.provider'],
    ['holds an id twice', 'models: [{id: a, name: x, provider: y}, {id: a, name: z, provider: y}]', 'same id twice'],
  ])('stops the start with an explanation if its file %s', async (_, text, problem) => {
    const broken = join(folder, 'broken.yaml');
    if (text !== null) await writeFile(broken, text);
    const failure = await system.start(start, { MODELS_FILE: broken }).catch((error: unknown) => String(error));
    expect(failure).toContain('broken.yaml');
    expect(failure).toContain(problem);
    await rm(broken, { force: true });
  });
});

it('the catalogue that comes with the product is valid', async () => {
  const own = await startApps([start]);
  const { results } = await own.callAs(ownerCaller(), listModels);
  expect(results.length).toBeGreaterThan(9);
  expect(new Set(results.map(({ provider }) => provider)).size).toBeGreaterThan(4);
  await own.close();
});

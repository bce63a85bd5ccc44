import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  createModule,
  deleteModule,
  getModule,
  listCategories,
  listModules,
  listModuleVersions,
} from '@millrace/contracts/workflows/library';
import { ownerCaller } from '@millrace/testkit/callers';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';

let system: System;
beforeAll(async () => void (system = await startApps([start])));
afterAll(() => system.close());

const caller = ownerCaller();
const list = (query: object) => system.callAs(caller, listModules, { query: { built_in: 'false', ...query } });
const names = async (query: object) => (await list(query)).results.map(({ name }) => name);
const create = (name: string, more: object = {}) =>
  system.callAs(caller, createModule, { body: { name, container: { command: 'x' }, ...more } });

beforeAll(async () => {
  await create('zz-to-json', { category: 'Tables', description: 'From zz' });
  await create('merge', { category: 'zz', description: 'Puts together' });
  await create('plain', { category: 'Text', description: 'zz zz zz zz, and json too; zz zz.' });
  await create('zzebra', { description: 'An animal' });
  await create('zz', { type: 'SCRIPT', container: undefined, script: { source: 'x' }, category: 'Tables' });
  await create("o'hara's 100%", { category: 'Text' });
  await create('Été', { category: 'Text' });
});

describe('the list of modules', () => {
  it('finds words in name, category and description, in that order', async () => {
    expect(await names({ search: 'zz' })).toEqual(['zz', 'zz-to-json', 'zzebra', 'merge', 'plain']);
  });

  it('finds modules that have all words, in any of these fields', async () => {
    expect(await names({ search: 'zz json' })).toEqual(['zz-to-json', 'plain']);
    expect(await names({ search: 'JSON tables' })).toEqual(['zz-to-json']);
    expect(await names({ search: 'json animal' })).toEqual([]);
  });

  it('finds words by their beginnings, and accepts any text', async () => {
    expect(await names({ search: 'zzeb' })).toEqual(['zzebra']);
    expect(await names({ search: 'ebra' })).toEqual([]);
    expect(await names({ search: 'été' })).toEqual(['Été']);
    expect(await names({ search: `o'ha` })).toEqual([`o'hara's 100%`]);
    for (const search of ["'", '\\', ':* & !', "q'':* | (", '%', '"']) expect(await names({ search })).toEqual([]);
  });

  it('responds to any search', async () => {
    const search = fc
      .string({ unit: 'grapheme', maxLength: 40 })
      .filter((text) => !text.includes('\0') && text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(search, async (text) => {
        const { results, count } = await list({ search: text, built_in: undefined });
        expect(results).toHaveLength(count);
      }),
      { numRuns: 50 },
    );
  });

  it('omits long texts, so that a page fits in a message', async () => {
    const inputs = Array.from({ length: 14 }, (_, at) => ({
      name: `i${at}`,
      type: 'STRING',
      value: 'x'.repeat(65_000),
    }));
    for (let at = 0; at < 40; at++) await create(`huge ${at}`, { inputs, category: 'Huge' });
    const { results } = await list({ category: 'Huge', page_size: 40 });
    expect(results).toHaveLength(40);
    for (const module of results) expect(module).not.toHaveProperty('inputs');
    const [{ id } = { id: '' }] = results;
    expect((await system.callAs(caller, getModule, { params: { id } })).inputs).toHaveLength(14);
    const { results: versions } = await system.callAs(caller, listModuleVersions, { params: { id } });
    expect(versions).toMatchObject([{ number: 1 }]);
    expect(versions[0]).not.toHaveProperty('inputs');
    for (const { id } of results) await system.callAs(caller, deleteModule, { params: { id } });
  });

  it('has the requested order, also with a search', async () => {
    expect(await names({ search: 'zz', ordering: '-name' })).toEqual(['zzebra', 'zz-to-json', 'zz', 'plain', 'merge']);
    expect(await names({ ordering: 'category,-name' })).toEqual([
      ...['zz-to-json', 'zz', 'Été', 'plain', `o'hara's 100%`, 'merge', 'zzebra'],
    ]);
  });

  it('is filtered by type and category', async () => {
    expect(await names({ type: 'SCRIPT' })).toEqual(['zz']);
    expect(await names({ category: 'Tables' })).toEqual(['zz', 'zz-to-json']);
    expect(await names({ category: 'tables' })).toEqual([]);
  });

  it('has pages that do not overlap in any order', async () => {
    for (const query of [{ ordering: 'type' }, { ordering: '-category' }, { search: 'zz' }, {}]) {
      const all = await list(query);
      const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ ...query, page, page_size: 2 })));
      expect(pages.flatMap(({ results }) => results)).toEqual(all.results);
      expect(pages.map(({ count }) => count)).toEqual([1, 2, 3, 4].map(() => all.results.length));
    }
  });

  it('omits long texts', async () => {
    const { results } = await list({ type: 'SCRIPT' });
    expect(results[0]).toMatchObject({ type: 'SCRIPT', script_type: 'bash', built_in: false, version: 1 });
    expect(results[0]).not.toHaveProperty('script');
  });

  it('contains the built-in modules and the modules of the vault', async () => {
    const all = await list({ built_in: undefined, page_size: 1000 });
    const builtIn = await list({ built_in: 'true', page_size: 1000 });
    expect(builtIn.count).toBeGreaterThanOrEqual(40);
    expect(builtIn.results.every((module) => module.built_in && module.vault === undefined)).toBe(true);
    expect(all.count).toBe(builtIn.count + 7);
    const found = await system.callAs(caller, listModules, { query: { search: 'csv json' } });
    expect(found.results[0]).toMatchObject({ name: expect.stringMatching(/csv.*json|json.*csv/) });
  });
});

describe('the categories of modules', () => {
  it('count the modules that the vault sees', async () => {
    const { results } = await system.callAs(caller, listCategories);
    expect(results).toEqual(
      expect.arrayContaining([
        { name: 'Tables', count: 2 },
        { name: 'zz', count: 1 },
      ]),
    );
    const other = await system.callAs(ownerCaller(), listCategories);
    expect(other.results.map(({ name }) => name)).not.toContain('Tables');
    const { count } = await list({ built_in: 'true' });
    expect(other.results.reduce((sum, category) => sum + category.count, 0)).toBe(count);
  });
});

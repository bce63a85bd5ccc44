import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createModule } from '@millrace/contracts/workflows/library';
import { setSchedule } from '@millrace/contracts/workflows/schedules';
import { createSnapshot } from '@millrace/contracts/workflows/snapshots';
import { loadForRun, validateWorkflow } from '@millrace/contracts/workflows/workflows';
import { compilePlan } from '@millrace/graph/plan/compile-plan';
import { ownerCaller } from '@millrace/testkit/callers';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, moduleNode, script } from '../testing/seed.js';

let system: System;
let runs: FakeService;
beforeAll(async () => {
  system = await startApps([start]);
  runs = await system.fake('runs');
});
afterAll(() => system.close());

const runsCode = (source: string) => ({ nodes: script('step-1', source) });
/** A workflow with the modules as its nodes `m-1`, `m-2` and so on. */
const wrap = (...keys: string[]) => ({
  nodes: Object.assign({}, ...keys.map((key, at) => moduleNode(`m-${at + 1}`, key))) as Record<string, object>,
});

/** One owner acts for two editors, one of the space `home` and one of `other`. */
async function seeded() {
  const owner = ownerCaller();
  const seed = seedAs(system.callAs, owner);
  const [home, other, third] = [(await seed.space()).id, (await seed.space()).id, (await seed.space()).id];
  /** The source of each step of a run, by its node. */
  const sourcesOf = async (workflow: string) => {
    const { content } = await runs.call(loadForRun, { workflow, files: [] }, owner);
    const { steps } = compilePlan(content?.data, content?.modules ?? {});
    return steps.map(({ node, program }) => [node, program.kind === 'script' ? program.source : null]);
  };
  const validate = (id: string) => system.callAs(owner, validateWorkflow, { params: { id }, body: {} });
  /** Stores data without pins, as versions from before pins were required. */
  const store = (version: string, data: object, modules: string[]) =>
    system.database.query('UPDATE workflows.version SET data = $2, modules = $3 WHERE id = $1', [
      ...[version, JSON.stringify(data), modules],
    ]);
  return { owner, seed, home, other, third, sourcesOf, validate, store };
}

describe('a module of another space that is pinned', () => {
  it('contains the versions that were the latest when it was saved', async () => {
    const { seed, home, other, sourcesOf, validate } = await seeded();
    const nested = await seed.saved(runsCode('first'), other);
    await seed.version(nested.id, runsCode('reviewed'));
    const outer = await seed.saved(wrap(nested.id.toUpperCase()), other);
    const mine = await seed.saved(wrap(outer.version.id), home);
    await seed.version(nested.id, runsCode('evil'));
    expect(await sourcesOf(mine.id)).toEqual([['m-1/m-1/step-1', 'reviewed']]);
    expect(await validate(mine.id)).toEqual({ errors: [], warnings: [] });
    const later = await seed.version(outer.id, { ...wrap(nested.id), config: {} });
    await seed.version(nested.id, runsCode('newest'));
    await seed.version(mine.id, wrap(outer.version.id, later.id));
    expect(await sourcesOf(mine.id)).toEqual([
      ['m-1/m-1/step-1', 'reviewed'],
      ['m-2/m-1/step-1', 'evil'],
    ]);
  });

  it('contains the versions of that one moment at any depth', async () => {
    const { seed, home, other, sourcesOf } = await seeded();
    const deepest = await seed.saved(runsCode('first'), other);
    const middle = await seed.saved(wrap(deepest.id), other);
    await seed.version(deepest.id, runsCode('reviewed'));
    const outer = await seed.saved(wrap(middle.id, middle.version.id), other);
    const near = await seed.saved(wrap(outer.version.id), home);
    const mine = await seed.saved(wrap(near.id), home);
    await seed.version(deepest.id, runsCode('evil'));
    await seed.version(middle.id, runsCode('evil as well'));
    expect(await sourcesOf(mine.id)).toEqual([
      ['m-1/m-1/m-1/m-1/step-1', 'reviewed'],
      ['m-1/m-1/m-2/m-1/step-1', 'reviewed'],
    ]);
  });

  it('contains these versions also if it is published or in the library', async () => {
    const { owner, seed, home, other, sourcesOf } = await seeded();
    const nested = await seed.saved(runsCode('reviewed'), other);
    const outer = await seed.saved(wrap(nested.id), other);
    const published = { params: { id: outer.id }, body: { workflow_version_info: outer.version.id } };
    await system.callAs(owner, createSnapshot, published);
    const { node } = await system.callAs(owner, createModule, { body: { name: 'm', workflow: outer.id } });
    const mine = await seed.saved({ nodes: { 'm-1': node } }, home);
    await seed.version(nested.id, runsCode('evil'));
    expect(await sourcesOf(mine.id)).toEqual([['m-1/m-1/step-1', 'reviewed']]);
  });

  it('has the same ports in the library', async () => {
    const { owner, seed, other } = await seeded();
    const labelled = (label: string) => ({
      nodes: { 'step-1': { ...script('step-1')['step-1'], meta: { label } } },
    });
    const nested = await seed.saved(labelled('reviewed'), other);
    const outer = await seed.saved(
      { nodes: { 'm-1': { ...moduleNode('m-1', nested.id)['m-1'], meta: { label: 'all' } } } },
      other,
    );
    const published = { params: { id: outer.id }, body: { workflow_version_info: outer.version.id } };
    await system.callAs(owner, createSnapshot, published);
    await seed.version(nested.id, labelled('evil'));
    const { outputs } = await system.callAs(owner, createModule, { body: { name: 'm', workflow: outer.id } });
    expect(outputs).toMatchObject([{ name: 'all/reviewed' }]);
  });

  it('uses the moment of a pin inside it, if that pin crosses into a third space', async () => {
    const { seed, home, other, third, sourcesOf } = await seeded();
    const nested = await seed.saved(runsCode('reviewed'), third);
    const between = await seed.saved(wrap(nested.id), third);
    await seed.version(nested.id, runsCode('later'));
    const outer = await seed.saved(wrap(between.version.id), other);
    const mine = await seed.saved(wrap(outer.version.id, between.version.id), home);
    expect(await sourcesOf(mine.id)).toEqual([
      ['m-1/m-1/m-1/step-1', 'reviewed'],
      ['m-2/m-1/step-1', 'reviewed'],
    ]);
  });

  it('lacks a module without a version at that moment', async () => {
    const { seed, home, other, validate, store } = await seeded();
    const outer = await seed.saved(runsCode('x'), other);
    const nested = await seed.saved(runsCode('evil'), other);
    const mine = await seed.saved(wrap(outer.version.id), home);
    await store(outer.version.id, wrap(nested.id), [nested.id]);
    expect(await validate(mine.id)).toMatchObject({
      errors: [
        {
          code: 'invalid_module',
          node: 'm-1',
          message: expect.stringContaining('wraps a workflow that does not exist'),
        },
      ],
    });
  });

  it('is also used to check schedules', async () => {
    const { owner, seed, home, other } = await seeded();
    const nested = await seed.saved(runsCode('reviewed'), other);
    const outer = await seed.saved(wrap(nested.id), other);
    const mine = await seed.saved(wrap(outer.version.id), home);
    await seed.version(nested.id, { nodes: script('step-1', '') });
    const set = (id: string) =>
      system.callAs(owner, setSchedule, { params: { id }, body: { cron: '0 0 1 1 *', timezone: 'UTC' } });
    expect(await set(mine.id)).toMatchObject({ enabled: true });
    await expect(set(outer.id)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('a module that follows the latest version', () => {
  it('is unpinned in its own space, also inside a pinned module of that space', async () => {
    const { seed, other, sourcesOf } = await seeded();
    const nested = await seed.saved(runsCode('former'), other);
    const outer = await seed.saved(wrap(nested.id), other);
    const mine = await seed.saved(wrap(outer.version.id, outer.id, nested.id), other);
    await seed.version(nested.id, runsCode('latest'));
    expect(await sourcesOf(mine.id)).toEqual([
      ['m-1/m-1/step-1', 'latest'],
      ['m-2/m-1/step-1', 'latest'],
      ['m-3/step-1', 'latest'],
    ]);
  });

  it('crosses spaces in a version that was saved before pins were required', async () => {
    const { seed, home, other, sourcesOf, validate, store } = await seeded();
    const nested = await seed.saved(runsCode('former'), other);
    const outer = await seed.saved(wrap(nested.id), other);
    const mine = await seed.saved(runsCode('x'), home);
    await store(mine.version.id, wrap(outer.id, outer.version.id), [outer.id, outer.version.id]);
    await seed.version(nested.id, runsCode('latest'));
    expect(await sourcesOf(mine.id)).toEqual([
      ['m-1/m-1/step-1', 'latest'],
      ['m-2/m-1/step-1', 'former'],
    ]);
    const { errors, warnings } = await validate(mine.id);
    expect(errors).toEqual([]);
    expect(warnings.filter(({ code }) => code === 'unpinned_module')).toMatchObject([{ node: 'm-1' }]);
  });
});

describe('the key of a frozen module in a run', () => {
  it('cannot be used in a workflow by a user who may not use the module', async () => {
    const { seed, home, other, sourcesOf, validate, store } = await seeded();
    const nested = await seed.saved(runsCode('hidden'), other);
    const outer = await seed.saved(wrap(nested.id), other);
    const mine = await seed.saved(wrap(outer.version.id), home);
    const [frozen] = await sourcesOf(mine.id);
    expect(frozen).toEqual(['m-1/m-1/step-1', 'hidden']);
    const guesses = ['', outer.version.id].flatMap((pin) =>
      ['@', '@@'].map((mark) => `${nested.version.id}${mark}${pin}`),
    );
    const keys = [outer.version.id, ...guesses];
    await store(mine.version.id, wrap(...keys), keys);
    const { errors } = await validate(mine.id);
    expect(errors.map(({ code, node }) => [code, node])).toEqual(
      guesses.map((_, at) => ['unknown_module', `m-${at + 2}`]),
    );
  });
});

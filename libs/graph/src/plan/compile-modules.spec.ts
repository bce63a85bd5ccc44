import { describe, expect, it } from '@jest/globals';
import { type Modules } from '../data/workflow-data.js';
import { draw, label, type Drawing } from '../testing/draw-workflow.js';
import { compilePlan } from './compile-plan.js';
import { type Plan, type Step } from './plan.js';

const TEXT = { type: 'STRING', order: 0, command: '-t' } as const;
const as = (drawing: Drawing, id = 'w') => ({ workflow_id: id, data: drawing.data() });
const step = (plan: Plan, node: string): Step => {
  const found = plan.steps.find((one) => one.node === node && one.type !== 'SPLIT');
  if (found === undefined) throw new Error(`no step ${node}`);
  return found;
};

/** Takes a file `feed` and text `mode`; gives `found` and `log`. */
const scanner = () =>
  draw()
    .primitive('http-input-1', 'FILE', null, 'feed')
    .primitive('string-input-1', 'STRING', 'fast', 'mode')
    .tool('scan-1', { t: TEXT, list: { type: 'FILE', order: 1 } }, label('log'))
    .script('clean-1', {}, label('found'))
    .wire('http-input-1', 'scan-1.list')
    .wire('string-input-1', 'scan-1.t')
    .wire('scan-1.folder', 'clean-1.folder');
const MODULES: Modules = { scanner: as(scanner()) };
const source = () => draw().script('list-1');

describe('a module', () => {
  it('is expanded, with inputs bound from outside and defaults under their paths', () => {
    const plan = compilePlan(source().module('m-1', 'scanner').wire('list-1.file', 'm-1.feed').data(), MODULES);
    expect(plan.steps.map((one) => one.node)).toEqual(['list-1', 'm-1/scan-1', 'm-1/clean-1']);
    expect(step(plan, 'm-1/scan-1').inputs).toMatchObject([
      { param: 't', source: 'string-input-1', binding: { from: 'primitive', primitive: 'm-1/string-input-1' } },
      { param: 'list', source: 'http-input-1', binding: { from: 'step', step: 0, port: 'file', gather: false } },
    ]);
    expect(plan.primitives).toEqual({ 'm-1/string-input-1': { type: 'STRING', label: 'm-1/mode', value: 'fast' } });
    expect(plan.segments).toHaveLength(1);
  });

  it('receives inputs by label or id, from a connection or a value of its node', () => {
    const byId = source()
      .module('m-1', 'scanner', { mode: { type: 'STRING', value: 'slow' } })
      .wire('list-1.file', 'm-1.http-input-1');
    expect(step(compilePlan(byId.data(), MODULES), 'm-1/scan-1').inputs).toMatchObject([
      { binding: { from: 'value', value: 'slow' } },
      {},
    ]);
    const outer = source()
      .primitive('s-1', 'STRING', 'x')
      .module('m-1', 'scanner')
      .wire('list-1.file', 'm-1.feed')
      .wire('s-1', 'm-1.mode');
    expect(step(compilePlan(outer.data(), MODULES), 'm-1/scan-1').inputs).toMatchObject([
      { binding: { from: 'primitive', primitive: 's-1' } },
      {},
    ]);
  });

  it('provides its named outputs as a file or a folder, as the destination requires or the port names it', () => {
    const drawing = source().module('m-1', 'scanner').script('a-1').script('b-1').script('c-1').script('d-1');
    drawing
      .wire('list-1.file', 'm-1.feed')
      .wire('m-1.found', 'a-1.file')
      .wire('m-1.found', 'b-1.folder')
      .wire('m-1.log/folder', 'c-1.folder')
      .wire('m-1.clean-1', 'd-1.file');
    const plan = compilePlan(drawing.data(), MODULES);
    const [clean, scan] = [step(plan, 'm-1/clean-1').index, step(plan, 'm-1/scan-1').index];
    expect(step(plan, 'a-1').inputs).toMatchObject([
      { source: 'm-1', type: 'FILE', binding: { step: clean, port: 'file' } },
    ]);
    expect(step(plan, 'b-1').inputs).toMatchObject([
      { source: 'm-1', type: 'FOLDER', binding: { step: clean, port: 'folder' } },
    ]);
    expect(step(plan, 'c-1').inputs).toMatchObject([{ binding: { step: scan, port: 'folder' } }]);
    expect(step(plan, 'd-1').inputs).toMatchObject([{ binding: { step: clean } }]);
  });

  it('puts several outputs into separate directories of a node', () => {
    const drawing = source()
      .module('m-1', 'scanner')
      .script('a-1')
      .wire('list-1.file', 'm-1.feed')
      .wire('m-1.found', 'a-1.file')
      .wire('m-1.log', 'a-1.file');
    expect(step(compilePlan(drawing.data(), MODULES), 'a-1').inputs.map((input) => input.source)).toEqual([
      'm-1/found',
      'm-1/log',
    ]);
  });

  it('puts several sources of one input into directories of their own', () => {
    const drawing = source()
      .script('list-2')
      .module('m-1', 'scanner')
      .wire('list-1.file', 'm-1.feed')
      .wire('list-2.file', 'm-1.feed');
    const inputs = step(compilePlan(drawing.data(), MODULES), 'm-1/scan-1').inputs.filter(
      (input) => input.param === 'list',
    );
    expect(inputs.map((input) => input.source)).toEqual(['http-input-1/list-1', 'http-input-1/list-2']);
  });

  it('with a label makes all of its outputs named outputs of the workflow', () => {
    const plan = compilePlan(
      source().module('m-1', 'scanner', {}, label('Deep')).wire('list-1.file', 'm-1.feed').data(),
      MODULES,
    );
    expect(plan.outputs).toEqual([
      { label: 'Deep/log', step: 1 },
      { label: 'Deep/found', step: 2 },
    ]);
  });
});

describe('a distributed module', () => {
  const check = (plan: Plan): void => {
    expect(plan.scopes).toHaveLength(1);
    expect(step(plan, 'm-1/scan-1')).toMatchObject({ scope: 0 });
    // Inside, a folder stays with its child: the module does for each item what it does by itself.
    expect(step(plan, 'm-1/clean-1')).toMatchObject({
      scope: 0,
      inputs: [{ binding: { port: 'folder', gather: false } }],
    });
    expect(step(plan, 'join-1')).toMatchObject({
      scope: null,
      inputs: [{ binding: { port: 'folder', gather: true } }],
    });
  };

  it('runs completely for each item of a splitter', () => {
    const drawing = source().splitter('s-1').module('m-1', 'scanner').script('join-1');
    check(
      compilePlan(
        drawing
          .wire('list-1.file', 's-1.multiple')
          .wire('s-1.output', 'm-1.feed')
          .wire('m-1.found', 'join-1.folder')
          .data(),
        MODULES,
      ),
    );
  });

  it('runs completely for each item of its own distribution', () => {
    const drawing = source()
      .module('m-1', 'scanner', {}, { distribution: { input: 'feed', mode: 'batch', splits: 3 } })
      .script('join-1');
    const plan = compilePlan(
      drawing.wire('list-1.file', 'm-1.feed').wire('m-1.found', 'join-1.folder').data(),
      MODULES,
    );
    check(plan);
    expect(plan.steps.find((one) => one.type === 'SPLIT')).toMatchObject({
      node: 'm-1',
      inputs: [{ param: 'feed', source: 'list-1' }],
    });
    expect(step(plan, 'm-1/scan-1').inputs).toMatchObject([
      {},
      { type: 'FILE', source: 'http-input-1', binding: { from: 'item', scope: 0 } },
    ]);
  });

  it('also runs those of its steps per item that do not use the item', () => {
    const modules = { m: as(scanner().script('alone-1')) };
    const drawing = source()
      .splitter('s-1')
      .module('m-1', 'm')
      .wire('list-1.file', 's-1.multiple')
      .wire('s-1.output', 'm-1.feed');
    const plan = compilePlan(drawing.data(), modules);
    const alone = step(plan, 'm-1/alone-1');
    expect(plan.segments[alone.segment]).toMatchObject({
      scope: 0,
      needs: [{ segment: step(plan, 's-1').segment, how: 'all' }],
    });
  });
});

describe('a module that distributes inside', () => {
  const inner = draw()
    .primitive('http-input-1', 'FILE', null, 'feed')
    .script('each-1', {}, { ...label('parts'), distribution: { input: 'file', mode: 'line' } })
    .wire('http-input-1', 'each-1.file');

  it('passes its scope on through a file and gathers through a folder, also through outer modules', () => {
    const around = draw()
      .primitive('http-input-1', 'FILE', null, 'feed')
      .module('in-1', 'inner', {}, label('deep'))
      .wire('http-input-1', 'in-1.feed');
    const modules: Modules = { inner: as(inner, 'i'), around: as(around, 'a') };
    const drawing = source().module('m-1', 'around').script('on-1').script('join-1');
    const plan = compilePlan(
      drawing
        .wire('list-1.file', 'm-1.feed')
        .wire('m-1.deep/parts', 'on-1.file')
        .wire('m-1.deep/parts', 'join-1.folder')
        .data(),
      modules,
    );
    const each = step(plan, 'm-1/in-1/each-1');
    expect(step(plan, 'on-1')).toMatchObject({ scope: 0, inputs: [{ binding: { step: each.index, gather: false } }] });
    expect(step(plan, 'join-1')).toMatchObject({
      scope: null,
      inputs: [{ binding: { step: each.index, gather: true } }],
    });
  });
});

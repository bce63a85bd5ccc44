import { describe, expect, it } from '@jest/globals';
import { InvalidWorkflowError } from '../check/problem.js';
import type { Modules } from '../data/workflow-data.js';
import { compilePlan } from '../plan/compile-plan.js';
import { draw, label } from '../testing/draw-workflow.js';
import { InvalidParamsError, mergeParams, setParams, type ParamValues } from './set-params.js';

const module = draw()
  .primitive('string-input-1', 'STRING', 'fallback', 'text')
  .tool('a-1', { t: { type: 'STRING', order: 1 } }, label('result'))
  .wire('string-input-1', 'a-1.t');
const modules: Modules = { m: { workflow_id: 'w', data: module.data() } };
const data = draw()
  .primitive('string-input-1', 'STRING', 'x', 'depth')
  .tool('scan-1', {
    rate: { type: 'STRING', order: 1, command: '-r', value: '10' },
    fast: { type: 'BOOLEAN', order: 2, command: '-f' },
    depth: { type: 'STRING', order: 3 },
  })
  .module('m-1', 'm')
  .script('s-1')
  .splitter('split-1')
  .wire('string-input-1', 'scan-1.depth')
  .wire('scan-1.file', 's-1.file')
  .wire('s-1.file', 'split-1.multiple')
  .data();

const compile = (values: ParamValues) => compilePlan(setParams(data, modules, values), modules);
const valuesOf = (values: ParamValues, node: string) => {
  const inputs = compile(values).steps.find((step) => step.node === node)?.inputs ?? [];
  return Object.fromEntries(
    inputs.map(({ param, binding }) => [param, binding.from === 'value' ? binding.value : binding.from]),
  );
};
function problemsOf(values: ParamValues): string[] {
  try {
    setParams(data, modules, values);
  } catch (error) {
    if (error instanceof InvalidParamsError)
      return error.problems.map(({ node, param, problem }) => `${node}.${param ?? ''} ${problem}`);
    throw error;
  }
  return [];
}

describe('a parameter that is set', () => {
  it('has the value in the plan, also if it had none before', () => {
    expect(valuesOf({ 'scan-1': { rate: '20', fast: true } }, 'scan-1')).toEqual({
      ...{ rate: '20', fast: true, depth: 'primitive' },
    });
    expect(valuesOf({}, 'scan-1')).toEqual({ rate: '10', depth: 'primitive' });
  });

  it('of a module replaces the default inside of it, under either name, and null restores it', () => {
    expect(valuesOf({}, 'm-1/a-1')).toEqual({ t: 'primitive' });
    for (const name of ['text', 'string-input-1']) {
      const changed = setParams(data, modules, { 'm-1': { [name]: 'other' } });
      const plan = compilePlan(changed, modules);
      expect(plan.steps.find(({ node }) => node === 'm-1/a-1')?.inputs).toMatchObject([
        { binding: { value: 'other' } },
      ]);
      const twice = setParams(changed, modules, { 'm-1': { text: 'third' } });
      expect(compilePlan(twice, modules).steps.find(({ node }) => node === 'm-1/a-1')?.inputs).toMatchObject([
        { binding: { value: 'third' } },
      ]);
      const restored = setParams(twice, modules, { 'm-1': { 'string-input-1': null } });
      expect(compilePlan(restored, modules)).toEqual(compilePlan(data, modules));
    }
  });

  it('does not change the given data', () => {
    const before = JSON.stringify(data);
    setParams(data, modules, { 'scan-1': { rate: '1' }, 'm-1': { text: 'y' } });
    expect(JSON.stringify(data)).toBe(before);
  });
});

describe('a parameter that cannot be set', () => {
  it.each<[ParamValues, string]>([
    [{ 'scam-1': { rate: '1' } }, 'scam-1. names no node of the run (got "scam-1"). Did you mean "scan-1"?'],
    [
      { 'scan-1': { ratte: '1' } },
      'scan-1.ratte names no parameter of node "scan-1" (got "ratte"). Did you mean "rate"?',
    ],
    [{ 'scan-1': { depth: '1' } }, 'scan-1.depth is connected from input "string-input-1", which determines its value'],
    [{ 's-1': { file: 'x' } }, 's-1.file is connected from node "scan-1", which determines its value'],
    [{ 's-1': { folder: 'x' } }, 's-1.folder takes a connection only, so it cannot be set'],
    [{ 'split-1': { other: 'x' } }, 'split-1.other names a parameter, but node "split-1" has none that can be set'],
    [
      { 'm-1/a-1': { t: 'x' } },
      'm-1/a-1. names a node inside of module "m-1"; set an input of the module instead ("string-input-1", "text")',
    ],
    [JSON.parse('{"__proto__": {"x": "y"}}') as ParamValues, '__proto__. names no node of the run (got "__proto__").'],
    [
      JSON.parse('{"scan-1": {"__proto__": "y"}}') as ParamValues,
      'scan-1.__proto__ names no parameter of node "scan-1" (got "__proto__").',
    ],
  ])('is reported with its place: %j', (values, problem) => {
    expect(problemsOf(values)).toEqual([problem]);
  });

  it('is reported with every other one', () => {
    expect(problemsOf({ 'scan-1': { rate: '1', nope: '1', depth: '2' }, none: {} })).toHaveLength(3);
  });
});

it.each<[ParamValues, string]>([
  [{ 'scan-1': { rate: null } }, 'missing_input'],
  [{ 'scan-1': { fast: 'maybe' } }, 'bad_value'],
])('a value that a version could not have makes the workflow invalid: %j', (values, code) => {
  expect(() => compile(values)).toThrow(InvalidWorkflowError);
  try {
    compile(values);
  } catch (error) {
    expect((error as InvalidWorkflowError).problems).toMatchObject([{ code, node: 'scan-1' }]);
  }
});

it('a later value replaces a former one, so that merged values do not grow', () => {
  const merged = mergeParams({ a: { x: '1', y: '2' } }, { a: { x: '3' }, b: { z: true } });
  expect(merged).toEqual({ a: { x: '3', y: '2' }, b: { z: true } });
  expect(mergeParams(merged, { a: { x: '3' } })).toEqual(merged);
});

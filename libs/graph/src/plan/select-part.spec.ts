import { describe, expect, it } from '@jest/globals';
import { draw } from '../testing/draw-workflow.js';
import { compilePlan } from './compile-plan.js';
import { selectPart, type Part } from './select-part.js';

/** `hosts-1` → `scan-1` → `report-1`, and `hosts-1` → `count-1`; `notify-1` only runs after `count-1`. */
const workflow = draw()
  .primitive('string-input-1', 'STRING', 'a', 'names')
  .script('hosts-1', { names: { type: 'STRING', order: 1 } })
  .script('scan-1')
  .script('report-1')
  .script('count-1')
  .script('notify-1')
  .wire('string-input-1', 'hosts-1.names')
  .wire('hosts-1.file', 'scan-1.file')
  .wire('scan-1.file', 'report-1.file')
  .wire('hosts-1.file', 'count-1.file')
  .order('count-1', 'notify-1')
  .data();

const select = (part: Part, data: unknown = workflow) => {
  const selected = selectPart(data, {}, part);
  const names = compilePlan(selected.data, {}).steps.map(({ node }) => node);
  return { names: names.sort(), repeated: selected.repeated.sort() };
};

describe('selectPart', () => {
  it('leaves out what the nodes of `until` do not depend on', () => {
    expect(select({ until: ['scan-1'] })).toEqual({ names: ['hosts-1', 'scan-1'], repeated: [] });
    expect(select({ until: ['scan-1', 'count-1'] }).names).toEqual(['count-1', 'hosts-1', 'scan-1']);
  });

  it('repeats the nodes of `from` and everything that depends on them', () => {
    const all = ['count-1', 'hosts-1', 'notify-1', 'report-1', 'scan-1'];
    expect(select({ from: ['scan-1'] })).toEqual({ names: all, repeated: ['report-1', 'scan-1'] });
    expect(select({ from: ['hosts-1'] }).repeated).toEqual(all);
  });

  it('repeats a single node if it is both ends', () => {
    expect(select({ from: ['scan-1'], until: ['scan-1'] })).toEqual({
      names: ['hosts-1', 'scan-1'],
      repeated: ['scan-1'],
    });
  });

  it('follows orders and conditions as it follows data', () => {
    expect(select({ until: ['notify-1'] }).names).toEqual(['count-1', 'hosts-1', 'notify-1']);
    const conditional = draw().script('a-1').script('b-1', {}, { when: 'nodes.a-1.exit_code = 0' }).data();
    expect(select({ until: ['b-1'] }, conditional).names).toEqual(['a-1', 'b-1']);
    expect(select({ from: ['a-1'] }, conditional).repeated).toEqual(['a-1', 'b-1']);
  });

  it('can select a valid part of a workflow that is not valid', () => {
    const broken = { ...workflow, nodes: { ...workflow.nodes, 'report-1': { type: 'TOOL' } } };
    expect(() => compilePlan(broken, {})).toThrow('not valid');
    expect(select({ until: ['scan-1'] }, broken).names).toEqual(['hosts-1', 'scan-1']);
  });

  it('refuses nodes that do not exist, and a start that is not before the end', () => {
    expect(() => select({ until: ['scan-1', 'scam-1'] })).toThrow('names no node of the workflow (got "scam-1")');
    expect(() => select({ from: ['count-1'], until: ['scan-1'] })).toThrow('which no node of `until` depends on');
  });

  it('keeps all inputs of the workflow, so that a part takes the same values', () => {
    const { data } = selectPart(workflow, {}, { until: ['notify-1'] });
    expect(Object.keys(compilePlan(data, {}).primitives)).toEqual(['string-input-1']);
  });
});

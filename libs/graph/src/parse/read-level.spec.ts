import { describe, expect, it } from '@jest/globals';
import { validateWorkflow } from '../check/validate-workflow.js';
import { compilePlan } from '../plan/compile-plan.js';

const script = (label?: string) => ({
  type: 'SCRIPT',
  script: { source: 'cat in/*/*' },
  ...(label && { meta: { label } }),
});
const edge = (from: string, to: string) => ({
  source: { id: `output/${from}/file` },
  destination: { id: `input/${to}/file` },
});
const named = (nodes: object, connections: object[] = []) =>
  compilePlan({ nodes, connections }, {}).outputs.map(({ label }) => label);

describe('a node whose label is its name without the number', () => {
  it('is a named output if nothing takes what it gives', () => {
    expect(named({ 'scan-1': script('scan'), 'resolve-1': script('resolve') }, [edge('scan-1', 'resolve-1')])).toEqual([
      'resolve',
    ]);
  });

  it('is none if its label was not written, or another node has the same one', () => {
    expect(named({ 'resolve-1': script() })).toEqual([]);
    expect(named({ 'resolve-1': script('resolve'), 'resolve-2': script('resolve') })).toEqual([]);
  });

  const warned = (nodes: object, connections: object[] = []) =>
    validateWorkflow({ nodes, connections }).warnings.filter(({ code }) => code === 'duplicate_label');

  it('is a warning that names the nodes, if another node has the same label', () => {
    expect(warned({ 'empty-1': script('empty'), 'empty-2': script('empty'), 'other-1': script('other') })).toEqual([
      {
        code: 'duplicate_label',
        message:
          'the label "empty" makes no named output of "empty-1", "empty-2", because several nodes have it: "empty-1", "empty-2"',
        node: 'empty-1',
        hint: 'give each of them a label of its own in "meta"',
      },
    ]);
    expect(warned({ 'sort-1': script('sort'), 'sort-2': script('sort') }, [edge('sort-1', 'sort-2')])).toMatchObject([
      { node: 'sort-2' },
    ]);
    expect(warned({ 'empty-1': script('empty'), 'x-1': script('empty') })).toMatchObject([{ node: 'empty-1' }]);
    expect(warned({ 'empty-1': script('empty'), 'empty-2': script() })).toMatchObject([{ node: 'empty-1' }]);
  });

  it('is no warning if the nodes are not the last ones, or the label was not written', () => {
    const nodes = { 'sort-1': script('sort'), 'sort-2': script('sort'), 'last-1': script('all') };
    expect(warned(nodes, [edge('sort-1', 'last-1'), edge('sort-2', 'last-1')])).toEqual([]);
    expect(warned({ 'sort-1': script(), 'sort-2': script() })).toEqual([]);
  });

  it('names at most twelve of many nodes', () => {
    const nodes = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`empty-${at + 11}`, script('empty')]));
    expect(warned(nodes)).toMatchObject([{ message: expect.stringMatching(/"empty-22" and 8 more$/) }]);
  });
});

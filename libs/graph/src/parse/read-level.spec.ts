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

describe('a node whose label equals its base name', () => {
  it('is a named output if its outputs are not connected', () => {
    expect(named({ 'scan-1': script('scan'), 'resolve-1': script('resolve') }, [edge('scan-1', 'resolve-1')])).toEqual([
      'resolve',
    ]);
  });

  it('is not a named output if it has no label, or another node has the same label', () => {
    expect(named({ 'resolve-1': script() })).toEqual([]);
    expect(named({ 'resolve-1': script('resolve'), 'resolve-2': script('resolve') })).toEqual([]);
  });

  const warned = (nodes: object, connections: object[] = []) =>
    validateWorkflow({ nodes, connections }).warnings.filter(({ code }) => code === 'duplicate_label');

  it('causes a warning that names the nodes if another node has the same label', () => {
    expect(warned({ 'empty-1': script('empty'), 'empty-2': script('empty'), 'other-1': script('other') })).toEqual([
      {
        code: 'duplicate_label',
        message:
          'The outputs of "empty-1", "empty-2" are not named outputs of the workflow, because several nodes have the label "empty": "empty-1", "empty-2".',
        node: 'empty-1',
        hint: 'Give each of these nodes a label of its own in `meta.label`.',
      },
    ]);
    expect(warned({ 'sort-1': script('sort'), 'sort-2': script('sort') }, [edge('sort-1', 'sort-2')])).toMatchObject([
      { node: 'sort-2' },
    ]);
    expect(warned({ 'empty-1': script('empty'), 'x-1': script('empty') })).toMatchObject([{ node: 'empty-1' }]);
    expect(warned({ 'empty-1': script('empty'), 'empty-2': script() })).toMatchObject([{ node: 'empty-1' }]);
  });

  it('causes no warning if the nodes are not final, or have no label', () => {
    const nodes = { 'sort-1': script('sort'), 'sort-2': script('sort'), 'last-1': script('all') };
    expect(warned(nodes, [edge('sort-1', 'last-1'), edge('sort-2', 'last-1')])).toEqual([]);
    expect(warned({ 'sort-1': script(), 'sort-2': script() })).toEqual([]);
  });

  it('causes a warning that names at most twelve nodes', () => {
    const nodes = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`empty-${at + 11}`, script('empty')]));
    expect(warned(nodes)).toMatchObject([{ message: expect.stringMatching(/"empty-22" and 8 more\.$/) }]);
  });
});

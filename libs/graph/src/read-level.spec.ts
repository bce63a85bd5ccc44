import { describe, expect, it } from '@jest/globals';
import { compilePlan } from './compile-plan.js';

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
});

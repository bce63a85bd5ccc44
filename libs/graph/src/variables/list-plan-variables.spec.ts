import { describe, expect, it } from '@jest/globals';
import { compilePlan } from '../plan/compile-plan.js';
import { listPlanVariables } from './list-plan-variables.js';

const script = (more: object) => ({ type: 'SCRIPT', script: { source: 'echo ${{vars.SOURCE}}', ...more } });

describe('the variables of a plan', () => {
  it('are those in text inputs, defaults and environments', () => {
    const data = {
      nodes: {
        a: {
          ...script({ environment: { TOKEN: 'Bearer ${{vars.ENV}}' } }),
          inputs: { x: { type: 'STRING', value: '${{vars.WRITTEN}}:${{ vars.TWICE }}' } },
        },
        b: {
          type: 'TOOL',
          container: { command: ['cat', '${{vars.COMMAND}}'], environment: { KEY: '${{vars.TOOL}}' } },
          inputs: { y: { type: 'STRING', command: '' }, z: { type: 'STRING', value: '${{vars.TWICE}}' } },
        },
      },
      primitiveNodes: { p: { type: 'STRING', label: 'p', value: '${{vars.DEFAULT}}' } },
      connections: [{ source: { id: 'output/p' }, destination: { id: 'input/b/y' } }],
    };
    const [own, ...others] = listPlanVariables(compilePlan(data, {}));
    expect(own?.space).toBeNull();
    expect(own?.names.sort()).toEqual(['DEFAULT', 'ENV', 'TOOL', 'TWICE', 'WRITTEN']);
    expect(others).toEqual([]);
  });

  it('are empty if no text uses one', () => {
    expect(listPlanVariables(compilePlan({ nodes: { a: script({}) } }, {}))).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { draw } from '../testing/draw-workflow.js';
import { validateWorkflow } from './validate-workflow.js';

const TEXT = { type: 'STRING', order: 0, command: '-t' } as const;
const VARIABLES = { variables: new Set(['API_TOKEN', 'RUN_ID']) };

describe('validation does not warn', () => {
  it.each(['debian:12', 'localhost:5000/debian:12', `debian@sha256:${'a'.repeat(64)}`])('of the image %s', (image) => {
    const data = draw().tool('a-1', {}, { container: { image, command: 'x' } });
    expect(validateWorkflow(data.data()).warnings).toEqual([]);
  });

  it('of existing variables, nor of any variable if the existing ones are not known', () => {
    const value = '${{vars.API_TOKEN}} ${{ vars.RUN_ID }}';
    const data = draw()
      .tool('a-1', { t: { ...TEXT, value } }, { container: { command: 'x' } })
      .data();
    expect(validateWorkflow(data, VARIABLES).warnings).toEqual([]);
    expect(validateWorkflow(data).warnings).toEqual([]);
  });

  it('of a variable in a value that a connection replaces', () => {
    const data = draw()
      .primitive('s-1', 'STRING', 'x')
      .script('a-1', { t: { ...TEXT, value: '${{vars.MISSING}}' } })
      .wire('s-1', 'a-1.t');
    expect(validateWorkflow(data.data(), VARIABLES).warnings).toEqual([]);
  });

  it('of braces in the syntax of a script', () => {
    const source = 'console.log(`${vars.x} ${{}}`, "{{ vars.y }}")';
    const data = draw().script('a-1', {}, { script_type: 'node', script: { source } });
    expect(validateWorkflow(data.data(), VARIABLES).warnings).toEqual([]);
  });
});

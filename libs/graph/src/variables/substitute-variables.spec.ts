import { describe, expect, it } from '@jest/globals';
import { findVariables, substituteVariables, UnknownVariableError } from './substitute-variables.js';

const VARIABLES: Record<string, string> = { A: 'one', B_2: '$& ${{vars.A}}' };
const lookup = (name: string): string | undefined => VARIABLES[name];

describe('variables in a command', () => {
  it('are listed once each, in order', () => {
    expect(findVariables('${{vars.B}} ${{ vars.A }}${{vars.B}} ${vars.C} {{vars.D}} ${{env.E}}')).toEqual(['B', 'A']);
  });

  it('replace their placeholders, and are not searched for placeholders again', () => {
    expect(substituteVariables('x${{vars.A}}y ${{ vars.B_2 }}', lookup)).toBe('xoney $& ${{vars.A}}');
    expect(substituteVariables('$A ${A} ${{vars.1}} ${{vars.}}', lookup)).toBe('$A ${A} ${{vars.1}} ${{vars.}}');
  });

  it('that are not defined are named in the error', () => {
    expect(() => substituteVariables('${{vars.NOPE}}', lookup)).toThrow(new UnknownVariableError('NOPE'));
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Problem } from '@millrace/graph/check/problem';
import { ALLOWED_IN_DRAFTS, refuseBrokenData } from './refuse-broken-data.js';

const detailsOf = (data: unknown, problems: Problem[]): unknown => {
  try {
    refuseBrokenData(data, problems);
  } catch (error) {
    if (error instanceof ValidationError) return error.details;
    throw error;
  }
  return null;
};

describe('a workflow draft', () => {
  it('is accepted if parts are missing', () => {
    const data = { nodes: { m: { type: 'WORKFLOW' } } };
    const problems: Problem[] = [
      { code: 'missing_input', message: 'a', node: 'x' },
      { code: 'tool_without_command', message: 'b', node: 'x' },
      { code: 'unknown_module', message: 'c', node: 'm' },
      { code: 'more_problems', message: '7 more problems are not listed.' },
    ];
    expect(detailsOf(data, problems)).toBeNull();
  });

  it('is refused for other problems, each named by its field', () => {
    const data = { nodes: { m: { workflow: 'gone' } }, primitiveNodes: { p: {} } };
    const broken: Problem[] = [
      { code: 'unknown_module', message: 'no module', node: 'm' },
      { code: 'bad_value', message: 'no value', node: 'p' },
      { code: 'bad_edge', message: 'no edge' },
      { code: 'bad_edge', message: 'no other edge' },
      { code: 'unknown_port', message: 'no port', node: 'm', port: 'x' },
      { code: 'malformed', message: 'no list', path: 'connections' },
    ];
    expect(detailsOf(data, [...broken, { code: 'missing_input', message: 'left out', node: 'm' }])).toEqual({
      'body.data.nodes.m': 'no module',
      'body.data.primitiveNodes.p': 'no value',
      'body.data': 'no edge',
      'body.data.nodes.m.x': 'no port',
      'body.data.connections': 'no list',
      errors: broken,
    });
  });

  it('may keep a deleted module of the latest version with its edges, but no other', () => {
    const data = { nodes: { m: { workflow: 'gone' }, n: { workflow: 'there' } } };
    const problems: Problem[] = [
      { code: 'unknown_module', message: 'a', node: 'm' },
      { code: 'unknown_port', message: 'b', node: 'm', port: 'x' },
      { code: 'unknown_param', message: 'c', node: 'm', port: 'y' },
    ];
    const all = ['gone', 'there'];
    refuseBrokenData(data, problems, all);
    expect(() => refuseBrokenData(data, problems, ['there'])).toThrow(ValidationError);
    const other: Problem = { code: 'unknown_port', message: 'd', node: 'n', port: 'x' };
    expect(() => refuseBrokenData(data, [...problems, other], all)).toThrow(ValidationError);
    expect(() => refuseBrokenData(data, [{ ...other, code: 'bad_value', node: 'm' }], all)).toThrow(ValidationError);
  });

  it('may have the problems that docs/reference/validation.md lists', () => {
    const page = readFileSync(new URL('../../../../docs/reference/validation.md', import.meta.url), 'utf8');
    const allowed = [...page.matchAll(/^\| `(\w+)` .* \| yes +\|$/gm)].map((row) => row[1]);
    expect(allowed.sort()).toEqual([...ALLOWED_IN_DRAFTS].sort());
  });
});

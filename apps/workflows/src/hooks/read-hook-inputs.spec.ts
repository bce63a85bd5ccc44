import { describe, expect, it } from '@jest/globals';
import { readHookInputs, readInputLabels } from './read-hook-inputs.js';

const labels = readInputLabels({
  primitiveNodes: {
    'string-input-1': { type: 'STRING', label: 'domain', value: 'example.org' },
    'boolean-input-1': { type: 'BOOLEAN', label: 'deep' },
    'string-input-2': { type: 'STRING', label: 'unnamed', value: 'unnamed' },
  },
});

describe('the inputs of a webhook call', () => {
  it('are named by id or label; texts and booleans stay, null means none, other values become JSON, unknown names stay and are refused later', () => {
    const body = { domain: 'a.org', deep: true, 'string-input-2': 7, other: 1, unnamed: 'x' };
    expect(readHookInputs(body, labels)).toEqual({
      ...{ domain: 'a.org', deep: true, 'string-input-2': '7', other: '1', unnamed: 'x' },
    });
    expect(readHookInputs({ domain: { a: [1, null] }, deep: null }, labels)).toEqual({ domain: '{"a":[1,null]}' });
    expect(readHookInputs({}, labels)).toEqual({});
  });

  it('include the whole body for an input `body` unless the body has that field', () => {
    const whole = readInputLabels({
      primitiveNodes: { 'string-input-1': { label: 'body' }, 'string-input-2': { label: 'a' } },
    });
    expect(readHookInputs({ a: 1, b: 2 }, whole)).toEqual({ a: '1', body: '{"a":1,"b":2}' });
    expect(readHookInputs({ body: 'x' }, whole)).toEqual({ body: 'x' });
  });
});

import { expect, it } from '@jest/globals';
import { readDocument } from '../document/document.js';
import { listRunInputs, missingInputs, type RunChoices, toCommand, toRequest, toRunBody } from './run-request.js';

const document = readDocument({
  primitiveNodes: {
    'file-input-1': { type: 'FILE', label: 'hosts' },
    'string-input-1': { type: 'STRING', label: 'mode', value: 'fast' },
    'string-input-2': { type: 'STRING', label: 'fixed', value: 'fixed' },
    'boolean-input-1': { type: 'BOOLEAN', label: 'deep', value: false },
  },
});
const inputs = listRunInputs(document);
const choices = (some: Partial<RunChoices>): RunChoices => ({
  values: {},
  name: '',
  parallelism: undefined,
  cache: 'node',
  until: [],
  ...some,
});

it('inputs with a label of their own can be set, and those without a value must be', () => {
  expect(inputs.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['hosts', true],
    ['mode', false],
    ['deep', false],
  ]);
  expect(missingInputs(inputs, {}).map(({ name }) => name)).toEqual(['hosts']);
});

it('the request has only what differs from the defaults', () => {
  expect(toRunBody(inputs, choices({ values: { 'string-input-1': 'fast', 'boolean-input-1': false } }))).toEqual({});
  expect(
    toRunBody(inputs, choices({ values: { 'boolean-input-1': true }, name: ' a ', cache: 'never', until: ['b-1'] })),
  ).toEqual({ inputs: { 'boolean-input-1': true }, name: 'a', use_cache: false, part: { until: ['b-1'] } });
});

it('the command and the request quote what a shell would read', () => {
  const body = toRunBody(
    inputs,
    choices({ values: { 'string-input-1': "it's $HOME" }, parallelism: 4, until: ['a-1', 'b 1'] }),
  );
  expect(toCommand('w', body)).toBe(
    "npx millrace run w \\\n  --input 'string-input-1=it'\\''s $HOME' \\\n  --parallelism 4 \\\n  --until a-1 'b 1' \\\n  --watch",
  );
  expect(toRequest('http://x', 'w', {})).toContain('http://x/api/workflows/w/runs');
  // API tokens have a scheme of their own: `Bearer` is for the tokens of sessions.
  expect(toRequest('http://x', 'w', {})).toContain('"Authorization: Token $MILLRACE_TOKEN"');
});

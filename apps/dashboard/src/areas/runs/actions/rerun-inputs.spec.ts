import { expect, it } from '@jest/globals';
import { changedInputs, editableInputs } from './rerun-inputs.js';

const inputs = {
  given: { hosts: 'millrace://file/a.txt', token: '***' },
  masked: ['token'],
  resolved: [
    { id: 'file-1', label: 'hosts', type: 'FILE' as const, value: 'millrace://file/a.txt' },
    { id: 'string-1', label: 'token', type: 'STRING' as const, value: '***' },
    { id: 'boolean-1', type: 'BOOLEAN' as const },
  ],
};

it('an input with a secret has to be entered again', () => {
  expect(editableInputs(inputs)).toEqual([
    { id: 'file-1', label: 'hosts', type: 'FILE', value: 'millrace://file/a.txt', isMasked: false },
    { id: 'string-1', label: 'token', type: 'STRING', value: '', isMasked: true },
    { id: 'boolean-1', label: 'boolean-1', type: 'BOOLEAN', value: false, isMasked: false },
  ]);
  expect(editableInputs(undefined)).toEqual([]);
});

it('only values that the user has changed are sent', () => {
  const fields = editableInputs(inputs);
  const values = { 'file-1': 'millrace://file/a.txt', 'string-1': 'secret', 'boolean-1': true };
  expect(changedInputs(fields, values)).toEqual({ 'string-1': 'secret', 'boolean-1': true });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compilePlan } from '../plan/compile-plan.js';
import { draw } from '../testing/draw-workflow.js';
import { resolveRunInputs } from './resolve-run-inputs.js';

const input = (type: 'STRING' | 'BOOLEAN' | 'FILE') => ({ type, order: 0, command: '-x' }) as const;
const plan = compilePlan(
  draw()
    .primitive('string-input-1', 'STRING', null, 'domain')
    .primitive('string-input-2', 'STRING', 'fast', 'mode')
    .primitive('string-input-3', 'STRING', 'fast', 'mode')
    .primitive('string-input-4', 'STRING', null)
    .primitive('boolean-input-1', 'BOOLEAN', '', 'verbose')
    .primitive('http-input-1', 'FILE', 'https://example.org/words', 'words')
    .tool('scan-1', {
      d: input('STRING'),
      m: input('STRING'),
      n: input('STRING'),
      v: input('BOOLEAN'),
      w: input('FILE'),
    })
    .wire('string-input-1', 'scan-1.d')
    .wire('string-input-2', 'scan-1.m')
    .wire('string-input-3', 'scan-1.n')
    .wire('boolean-input-1', 'scan-1.v')
    .wire('http-input-1', 'scan-1.w')
    .data(),
  {},
);
const DEFAULTS = {
  'string-input-2': 'fast',
  'string-input-3': 'fast',
  'boolean-input-1': false,
  'http-input-1': 'https://example.org/words',
};

describe('the inputs of a run', () => {
  it('are its values by label or id, and the defaults of the rest', () => {
    expect(resolveRunInputs(plan, { domain: 'a.org' })).toEqual({
      values: { ...DEFAULTS, 'string-input-1': 'a.org' },
      providedIds: new Set(['string-input-1']),
      errors: [],
    });
    const { values } = resolveRunInputs(plan, {
      'string-input-1': 5,
      verbose: 'true',
      words: 'millrace://file/a/b.txt',
    });
    expect(values).toMatchObject({
      'string-input-1': '5',
      'boolean-input-1': true,
      'http-input-1': 'millrace://file/a/b.txt',
    });
  });

  it('by label set all inputs with that label, and by id one of them', () => {
    const { values } = resolveRunInputs(plan, { domain: 'x', 'string-input-3': 'slow', mode: 'odd' });
    expect(values).toMatchObject({ 'string-input-2': 'odd', 'string-input-3': 'slow' });
  });

  it('may be empty text, which is a value', () => {
    expect(resolveRunInputs(plan, { domain: '' }).errors).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ['a missing one, but not for one that nothing uses', {}, { code: 'missing_input', port: 'domain' }],
    ['null for one without a default', { domain: null }, { code: 'missing_input', port: 'domain' }],
    [
      'an unknown one',
      { domain: 'x', doman: 'y' },
      { code: 'unknown_input', port: 'doman', hint: 'Did you mean "domain"?' },
    ],
    ['a list', { domain: ['x'] }, { code: 'bad_value', port: 'domain' }],
    ['a NUL byte', { domain: 'x\u0000' }, { code: 'bad_value', port: 'domain' }],
    ['half a surrogate pair', { domain: '\udc00' }, { code: 'bad_value', port: 'domain' }],
    ['text for a flag', { domain: 'x', verbose: 'yes' }, { code: 'bad_value', port: 'verbose' }],
    ['a local path for a file', { domain: 'x', words: '/etc/passwd' }, { code: 'bad_value', port: 'words' }],
    ['a method of objects', { domain: 'x', toString: 'y' }, { code: 'unknown_input', port: 'toString' }],
  ])('have one error for %s', (_, provided, error) => {
    expect(resolveRunInputs(plan, provided).errors).toMatchObject([error]);
  });

  it('never cause an exception', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('domain', 'mode', 'verbose', 'words', 'http-input-1'));
    fc.assert(
      fc.property(fc.dictionary(key, fc.anything()), (provided) =>
        expect(resolveRunInputs(plan, provided).values).toBeDefined(),
      ),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import type { AnyOperation } from '../../kit/operation.js';
import { restOperations } from '../../registry.js';
import { EXAMPLES } from './all-examples.js';
import { UNEXECUTABLE } from './written-examples.js';

const byName = restOperations.map((operation) => [operation.name, operation] as const);

/** Whether the bodies are the records of the contract. Other transfers have formats of their own. */
const hasRecords = ({ transfer }: AnyOperation): boolean => transfer === 'json';

it('every operation has an example, and every example an operation', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(restOperations.map(({ name }) => name).sort());
});

it('few operations have a written example, each with a reason', () => {
  expect(Object.keys(UNEXECUTABLE).length).toBeLessThanOrEqual(5);
});

it('no example has an address, a path, a key or a time of the machine that it was recorded on', () => {
  const text = JSON.stringify(EXAMPLES);
  for (const pattern of [
    /127\.0\.0\.1|localhost/,
    /\/(?:tmp|home|work|root|Users|shm)\//,
    /whsec_|eyJ|BEGIN/,
    /e2e/i,
  ]) {
    expect(text.match(pattern)).toBeNull();
  }
  expect(new Set(text.match(/20\d\d-\d\d-\d\d/g))).toEqual(new Set(['2026-01-15']));
});

describe('the example agrees with the contract:', () => {
  it.each(byName)('%s', (name, operation) => {
    const { params = {}, query = {}, request, response } = EXAMPLES[name] ?? {};
    operation.params.parse(params);
    operation.query.parse(query);
    if (hasRecords(operation)) operation.body.parse(request?.value ?? {});
    const hasContent = operation.status !== 204;
    expect(response !== undefined).toBe(hasContent);
    if (hasContent && ['json', 'signed', 'upload', 'rows', 'content', 'raw'].includes(operation.transfer)) {
      expect(operation.response.parse(response?.value)).toEqual(response?.value);
    }
  });
});

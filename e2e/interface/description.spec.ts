import { describe, expect, it } from '@jest/globals';
import { describeApi } from '@millrace/contracts/openapi/describe-api';
import { compareFields, compareOperation, type DescribedOperation } from './compare-operation.js';
import type { Schema } from './find-schema.js';
import { inlineReferences } from './inline-references.js';
import { ERROR } from './row.js';
import { INTERFACE } from './table/all.js';

interface Description {
  info: { version: string };
  paths: Record<string, Record<string, DescribedOperation | undefined>>;
  components: { schemas: { Error: Schema } };
}

const description = inlineReferences(describeApi() as unknown as Description);
const { info, paths, components } = description;

function findDescribed(operation: string): DescribedOperation | undefined {
  const [method = '', path = ''] = operation.split(' ');
  return paths[path]?.[method.toLowerCase()];
}

describe('the OpenAPI description agrees with the interface document on', () => {
  it.each(Object.entries(INTERFACE))('%s', (operation, row) => {
    const described = findDescribed(operation);
    expect(described ? compareOperation(row, described) : ['is missing']).toEqual([]);
  });
});

it('failures have the body that the interface document specifies', () => {
  expect(compareFields('error', ERROR, components.schemas.Error, 'response')).toEqual([]);
});

it('the description has version 1.0.0, paths without a version, and the required roles', () => {
  expect(info.version).toBe('1.0.0');
  expect(Object.keys(paths).filter((path) => /\/v\d/.test(path))).toEqual([]);
  expect(description).toHaveProperty('x-svc-roles');
});

it('a module can only be changed with PATCH', () => {
  expect(Object.keys(paths['/library/module/{id}'] ?? {})).not.toContain('put');
});

import { describe, expect, it } from '@jest/globals';
import { describeApi } from '@millrace/contracts/openapi';
import { compareOperation, type Described } from './compare-operation.js';
import { INTERFACE } from './table/all.js';

const { paths } = describeApi() as { paths: Record<string, Record<string, Described | undefined>> };

function findDescribed(operation: string): Described | undefined {
  const [method = '', path = ''] = operation.split(' ');
  return paths[path]?.[method.toLowerCase()];
}

describe('the description says what the interface document says of', () => {
  it.each(Object.entries(INTERFACE))('%s', (operation, row) => {
    const described = findDescribed(operation);
    expect(described ? compareOperation(row, described) : ['is missing']).toEqual([]);
  });
});

it('a module is changed with PATCH alone', () => {
  expect(Object.keys(paths['/library/module/{id}'] ?? {})).not.toContain('put');
});

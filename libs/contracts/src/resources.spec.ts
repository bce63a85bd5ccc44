import { expect, it } from '@jest/globals';
import { restOperations } from '@millrace/contracts/registry';
import * as resources from './resources.js';

it('the resources contain every REST operation', () => {
  const reachable = new Set<unknown>(
    Object.values(resources).flatMap((resource): unknown[] => Object.values(resource)),
  );
  const missing = restOperations.filter((operation) => !reachable.has(operation)).map((operation) => operation.name);
  expect(missing).toEqual([]);
});

import { afterAll } from '@jest/globals';
import type { Operation } from '@millrace/contracts/kit/operation';
import { operations } from '@millrace/contracts/registry';

/** Adds an operation to the contract for the tests of one suite. Later suites of the same Jest worker have the same registry. */
export function addOperation(operation: Operation): void {
  operations.push(operation);
  afterAll(() => {
    operations.splice(operations.indexOf(operation), 1);
  });
}

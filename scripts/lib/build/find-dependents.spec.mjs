import { describe, expect, it } from '@jest/globals';
import { findDependents } from './find-dependents.mjs';

const workspace = (/** @type {string} */ name, /** @type {string[]} */ ...dependencies) => ({
  name,
  folder: name,
  dependencies,
  builds: true,
});
const ALL = [
  workspace('contracts'),
  workspace('graph'),
  workspace('service', 'contracts'),
  workspace('runs', 'graph', 'service'),
  workspace('auth', 'service'),
];

describe('findDependents', () => {
  it('includes indirect dependents, and no other packages', () => {
    expect([...findDependents(ALL, ['graph'])].sort()).toEqual(['graph', 'runs']);
    expect([...findDependents(ALL, ['contracts'])].sort()).toEqual(['auth', 'contracts', 'runs', 'service']);
    expect([...findDependents(ALL, [])]).toEqual([]);
  });
});

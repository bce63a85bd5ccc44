import { describe, expect, it } from '@jest/globals';
import { chooseUserIds } from './draw-user-id.js';

describe('the user ids of slots', () => {
  it('are ids that nothing allocates, if all ids exist', () => {
    expect(chooseUserIds('         0          0 4294967295\n')).toEqual({ first: 1_879_048_192, count: 134_217_728 });
  });

  it('are in the upper half of the 65,536 ids of a pod in a user namespace, without nobody', () => {
    expect(chooseUserIds('         0     833617920      65536\n')).toEqual({ first: 32_768, count: 32_766 });
  });

  it('do not exist in a namespace of one user', () => {
    expect(chooseUserIds('         0       1000          1\n').first).toBe(1_879_048_192);
  });
});

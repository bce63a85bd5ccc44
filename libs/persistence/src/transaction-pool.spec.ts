import { describe, expect, it } from '@jest/globals';
import { nameStatements } from './transaction-pool.js';

describe('nameStatements', () => {
  it('names a statement from its third use on', () => {
    const name = nameStatements();
    const names = Array.from({ length: 4 }, () => name({ sql: 'SELECT 1' }));
    expect(names).toEqual([undefined, undefined, 'millrace_0', 'millrace_0']);
    for (let time = 0; time < 3; time++) name({ sql: 'SELECT 2' });
    expect(name({ sql: 'SELECT 2' })).toBe('millrace_1');
  });

  it('names no more statements than the maximum', () => {
    const name = nameStatements();
    for (let text = 0; text < 600; text++) for (let time = 0; time < 4; time++) name({ sql: `SELECT ${text}` });
    expect(name({ sql: 'SELECT 0' })).toBe('millrace_0');
    expect(name({ sql: 'SELECT 599' })).toBeUndefined();
  });
});

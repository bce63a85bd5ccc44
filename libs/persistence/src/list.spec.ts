import { describe, expect, it } from '@jest/globals';
import { listQuery } from '@millrace/contracts/kit/list';
import { isId, newId } from './ids.js';
import { searchFilter, pageArgs } from './list.js';
import { inReadableSpaces, inVault, canRead } from './tenancy.js';

const query = listQuery(['name', 'created_date'], { ordering: '-created_date', filters: {} });

describe('pageArgs', () => {
  it('starts after the previous page', () => {
    expect(pageArgs(query.parse({ page: '3', page_size: '50' }))).toMatchObject({ skip: 100, take: 50 });
  });

  it('orders by the columns, then by id in the same direction', () => {
    expect(pageArgs(query.parse({}), { created_date: 'createdAt' }).orderBy).toEqual([
      { createdAt: 'desc' },
      { id: 'desc' },
    ]);
    expect(pageArgs(query.parse({ ordering: 'name,-created_date' }), { created_date: 'createdAt' }).orderBy).toEqual([
      { name: 'asc' },
      { createdAt: 'desc' },
      { id: 'asc' },
    ]);
  });
});

describe('searchFilter', () => {
  it('finds the literal text in any of the fields', () => {
    expect(searchFilter('50%_\\', ['name', 'description'])).toEqual({
      OR: [
        { name: { contains: '50\\%\\_\\\\', mode: 'insensitive' } },
        { description: { contains: '50\\%\\_\\\\', mode: 'insensitive' } },
      ],
    });
  });

  it('is empty for an empty text', () => {
    expect(searchFilter('', ['name'])).toEqual({});
  });
});

describe('isId', () => {
  it('accepts created ids, which are ordered by time', () => {
    const ids = Array.from({ length: 100 }, newId);
    expect(ids.every(isId)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });

  it.each(['', '42', 'x'.repeat(36), `${newId()} `, `{${newId()}}`, '../../etc'])('rejects "%s"', (text) => {
    expect(isId(text)).toBe(false);
  });
});

describe('tenancy filters', () => {
  const spaces = { a: 'read', b: 'owner', c: 'insights' } as const;
  const caller = { user: 'u', vault: 'v', vaultRole: 'member' as const, spaces };
  const owner = { ...caller, vaultRole: 'owner' as const, spaces: 'all' as const };

  it('limit queries to the vault and the readable spaces', () => {
    expect(inVault(caller)).toEqual({ vaultId: 'v' });
    expect(inReadableSpaces(caller)).toEqual({ spaceId: { in: ['a', 'b'] } });
    expect(inReadableSpaces({ ...caller, spaces: {} })).toEqual({ spaceId: { in: [] } });
    expect(inReadableSpaces(owner)).toEqual({});
  });

  it('show the content of a space only to roles that may read it', () => {
    expect(['a', 'b', 'c', 'd'].filter((space) => canRead(caller, space))).toEqual(['a', 'b']);
    expect(canRead(owner, 'anywhere')).toBe(true);
  });
});

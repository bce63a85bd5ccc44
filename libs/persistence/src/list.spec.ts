import { describe, expect, it } from '@jest/globals';
import { listQuery } from '@millrace/contracts/kit/list';
import { isId, newId } from './ids.js';
import { searchFilter, pageArgs } from './list.js';
import { inReadableSpaces, inVault, canRead } from './tenancy.js';

const query = listQuery(['name', 'created_date'], { ordering: '-created_date', filters: {} });

describe('a page', () => {
  it('begins where the former ended', () => {
    expect(pageArgs(query.parse({ page: '3', page_size: '50' }))).toMatchObject({ skip: 100, take: 50 });
  });

  it('is ordered by columns, ties by id in the same direction', () => {
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

describe('a search', () => {
  it('looks for the text as it stands in any of the fields', () => {
    expect(searchFilter('50%_\\', ['name', 'description'])).toEqual({
      OR: [
        { name: { contains: '50\\%\\_\\\\', mode: 'insensitive' } },
        { description: { contains: '50\\%\\_\\\\', mode: 'insensitive' } },
      ],
    });
  });

  it('for nothing filters nothing', () => {
    expect(searchFilter('', ['name'])).toEqual({});
  });
});

describe('an id', () => {
  it('is one that was made here, in order of time', () => {
    const ids = Array.from({ length: 100 }, newId);
    expect(ids.every(isId)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });

  it.each(['', '42', 'x'.repeat(36), `${newId()} `, `{${newId()}}`, '../../etc'])('"%s" is none', (text) => {
    expect(isId(text)).toBe(false);
  });
});

describe('tenancy', () => {
  const spaces = { a: 'read', b: 'owner', c: 'insights' } as const;
  const caller = { user: 'u', vault: 'v', vaultRole: 'member' as const, spaces };
  const owner = { ...caller, vaultRole: 'owner' as const, spaces: 'all' as const };

  it('keeps to the vault, and to the spaces that may be read', () => {
    expect(inVault(caller)).toEqual({ vaultId: 'v' });
    expect(inReadableSpaces(caller)).toEqual({ spaceId: { in: ['a', 'b'] } });
    expect(inReadableSpaces({ ...caller, spaces: {} })).toEqual({ spaceId: { in: [] } });
    expect(inReadableSpaces(owner)).toEqual({});
  });

  it('shows what a space holds to those who may read there', () => {
    expect(['a', 'b', 'c', 'd'].filter((space) => canRead(caller, space))).toEqual(['a', 'b']);
    expect(canRead(owner, 'anywhere')).toBe(true);
  });
});

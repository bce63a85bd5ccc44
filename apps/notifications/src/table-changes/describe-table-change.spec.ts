import { describe, expect, it } from '@jest/globals';
import { toNotification } from './describe-table-change.js';
import type { Match, TableChange } from './find-subscriptions.js';

const IDS = { vault: 'v', space: 's', solution: 'sol', dataset: 'd', load: '7', generation: '1' };
const AT = '2026-11-24T03:00:00.000Z';
const change = (changes: Partial<TableChange> = {}): TableChange => ({
  ...IDS,
  ...{ name: 'hosts', run: '42', partial: false, new: 2, changed: 1, gone: 3, at: AT, ...changes },
});
const upload = (counts: Partial<TableChange>) => ({ ...change(counts), run: undefined });

const table = { dataset: 'd', name: 'hosts', space: 's', public: false };
const ROW = { kind: 'new' as const, row: { host: 'a', port: 443 } };
const ofTable = (match: Partial<Match> = {}): Match => ({
  ...{ table: { ...table, view: null }, new: 2, changed: 1, rows: [ROW], columns: ['host', 'port'] },
  ...match,
});
const ofView = (match: Partial<Match> = {}): Match =>
  ofTable({ table: { ...table, view: { id: 'w', name: 'Big', solution: 'sol' } }, new: 1, changed: 0, ...match });

const tableOf = (match: Match) => toNotification(change(), match).mail?.table;

describe('the notification of a follower of a table', () => {
  it.each<[Partial<TableChange>, string, string]>([
    [{}, '2 new, 1 changed, 3 gone', '2 rows are new, 1 row has changed, and 3 rows are gone'],
    [{ gone: 0 }, '2 new, 1 changed', '2 rows are new and 1 row has changed'],
    [{ new: 1_234, changed: 0, gone: 0 }, '1,234 new', '1,234 rows are new'],
    [{ new: 0, changed: 2, gone: 1 }, '2 changed, 1 gone', '2 rows have changed and 1 row is gone'],
  ])('lists the counts of %j without zeros', (counts, title, sentence) => {
    expect(toNotification(change(counts), ofTable())).toMatchObject({
      ...{ title: `hosts: ${title}`, message: `Run 42 has changed "hosts": ${sentence}.` },
      ...{ page: '/tables/d', mail: { follow: { kind: 'table', name: 'hosts', path: '/api/datasets/d/follow' } } },
    });
  });

  it('has why its rows could not be read', () => {
    const { message, mail } = toNotification(change(), ofTable({ problem: 'too slow', rows: [] }));
    expect(message).toMatch(/^The first rows could not be read: too slow\. Run 42 has changed "hosts": 2 rows/);
    expect(mail).not.toHaveProperty('table');
  });
});

describe('the notification of a follower of a view', () => {
  it('has the counts of the matching rows, then those of the whole load', () => {
    expect(toNotification(upload({ new: 1, changed: 1, gone: 0 }), ofView())).toMatchObject({
      title: 'hosts: 1 new in "Big"',
      message:
        'An upload has changed rows of "hosts" that match "Big": 1 row is new. In the whole table, 1 row is new and 1 row has changed.',
      page: '/solutions/sol/views/w',
      mail: { follow: { kind: 'view', name: 'Big', path: '/api/solutions/sol/views/w/follow' } },
    });
  });

  it('does not repeat the counts if all rows of the load match', () => {
    const { message } = toNotification(change({ new: 1, changed: 2, gone: 0 }), ofView({ changed: 2 }));
    expect(message).toBe('Run 42 has changed rows of "hosts" that match "Big": 1 row is new and 2 rows have changed.');
  });

  it('has why its query failed', () => {
    const { message } = toNotification(change({ gone: 0 }), ofView({ problem: 'there is no column "port"', rows: [] }));
    expect(message).toBe(
      'The query failed: there is no column "port". Run 42 has changed "hosts": 2 rows are new and 1 row has changed.',
    );
  });
});

describe('the rows in the mail of a follower', () => {
  it('are those of the match, with short texts in the order of its columns', () => {
    const row = { port: null, host: 'x'.repeat(50), json: { a: [1] }, ok: false, _row: 3 };
    const match = ofTable({ rows: [{ kind: 'changed', row }, ROW], columns: ['host', 'port', 'json', 'ok'] });
    expect(tableOf(match)).toEqual({
      caption: 'The first 2 of 3 new and changed rows:',
      columns: ['', 'host', 'port', 'json', 'ok'],
      rows: [
        ['changed', `${'x'.repeat(39)}…`, '', '{"a":[1]}', 'false'],
        ['new', 'a', '443', '', ''],
      ],
      hiddenColumns: 0,
    });
  });

  it.each<[Match, string]>([
    [ofTable({ new: 1, changed: 0 }), 'The new row:'],
    [ofTable({ new: 0, changed: 2, rows: [ROW, ROW] }), 'The changed rows:'],
    [ofTable({ new: 1_234, changed: 0 }), 'The first of 1,234 new rows:'],
    [ofView(), 'The matching row:'],
    [ofView({ new: 12, rows: [ROW, ROW] }), 'The first 2 of 12 matching rows:'],
  ])('have a caption that says how many there are: %#', (match, caption) => {
    expect(tableOf(match)?.caption).toBe(caption);
  });

  it('have at most six columns, and are cut inside no character', () => {
    const columns = Array.from({ length: 9 }, (_, at) => `c${at}`);
    const row = { c0: `${'x'.repeat(38)}😀😀` };
    const shown = tableOf(ofTable({ columns, rows: [{ kind: 'new', row }] }));
    expect(shown).toMatchObject({ columns: ['', ...columns.slice(0, 6)], hiddenColumns: 3 });
    expect(shown?.rows[0]?.[1]?.isWellFormed()).toBe(true);
  });

  it('have the columns of the row if an earlier version of the service lists none', () => {
    const { columns: _, ...match } = ofTable();
    expect(tableOf(match)?.columns).toEqual(['', 'host', 'port']);
  });
});

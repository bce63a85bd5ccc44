import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventStreamOf } from '@millrace/contracts/kit/event';
import { events, jobs } from '@millrace/contracts/registry';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';

/** The names in the first column of the tables on the page. */
let listed: string[];
let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  const page = await readFile(new URL('../../../docs/reference/stores.md', import.meta.url), 'utf8');
  const cells = page.split('\n').flatMap((line) => /^\| ([^|]*) \|/.exec(line)?.[1] ?? []);
  listed = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
});
afterAll(() => fresh.drop());

const listedAs = (pattern: RegExp): string[] => listed.filter((name) => pattern.test(name)).sort();

it('docs/reference/stores.md lists each table of the database once, with what deletes its rows', async () => {
  const tables = await fresh.query<{ name: string }>(`
    SELECT schemaname || '.' || tablename AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'public') ORDER BY 1`);
  expect(listedAs(/^[a-z]+\.[a-z_]+$/)).toEqual(tables.map(({ name }) => name).sort());
});

it('docs/reference/stores.md lists each event stream and each queue of the contracts once', () => {
  const streams = [...new Set(events.map(({ source }) => eventStreamOf(source)))];
  expect(listedAs(/^events-/)).toEqual(streams.sort());
  const queues = [...new Set(jobs.map(({ queue }) => `bull:${queue}`))];
  expect(listedAs(/^bull:/)).toEqual(queues.sort());
});

it('docs/reference/stores.md says for each store what grows in it and what deletes it', async () => {
  const page = await readFile(new URL('../../../docs/reference/stores.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  for (const row of rows) {
    const cells = row.split('|').slice(1, -1);
    expect(cells.map((cell) => cell.trim() !== '')).toEqual([true, true, true]);
  }
});

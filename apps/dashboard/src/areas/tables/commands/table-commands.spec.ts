import { expect, it } from '@jest/globals';
import { commandsOf } from './table-commands.js';

const table = { id: 't1' };
const origin = 'https://m.test';
const texts = (input: Omit<Parameters<typeof commandsOf>[0], 'table' | 'origin'>) =>
  commandsOf({ table, origin, ...input }).map(({ command }) => command);

it('the commands of a filtered table have its query as one argument of a shell', () => {
  expect(texts({ search: { q: `note = "it's"`, order: '-id' } })).toEqual([
    `npx millrace table query t1 'note = "it'\\''s"' --order -id`,
    `npx millrace table export t1 'note = "it'\\''s"' --order -id --output rows.csv`,
    `curl -sG https://m.test/api/datasets/t1/rows --data-urlencode 'q=note = "it'\\''s"' --data-urlencode order=-id -H "Authorization: Token $MILLRACE_TOKEN"`,
  ]);
});

it('the commands of a view have its query and that of the page', () => {
  const view = { id: 'v1', solution: 's1', q: 'a = 1 OR a = 2', order: 'a' };
  const [query, , request] = texts({ view, search: { q: 'b = 3' } });
  expect(query).toBe(`npx millrace table query t1 '(a = 1 OR a = 2) AND b = 3' --order a`);
  expect(request).toMatch(
    /^curl -sG https:\/\/m\.test\/api\/solutions\/s1\/views\/v1\/rows --data-urlencode 'q=b = 3' -H /,
  );
});

it('the commands of changes name the run and the kind', () => {
  expect(texts({ search: { tab: 'changes', run: '7', kind: 'gone' } })[0]).toBe(
    'npx millrace table changes t1 --run 7 --kind gone',
  );
});

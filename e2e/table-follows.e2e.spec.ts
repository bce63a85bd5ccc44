import { beforeAll, expect, it } from '@jest/globals';
import { datasets, notifications, solutions, tableFollows, views } from '@millrace/contracts/resources';
import { checkedFetch } from './support/checked-fetch.js';
import { readMail } from './support/read-mail.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

it('a follower of a view gets a mail with the rows that match, and stops following on its page', async () => {
  const { client } = account;
  const solution = await client.call(solutions.createSolution, { body: { name: 'Hosts', space: account.space } });
  const body = { name: 'hosts', solution: solution.id, primary_key: ['host'] };
  const { id: dataset } = await client.call(datasets.createDataset, { body });
  await client.rows.append(dataset, '{"host": "old.example", "port": 1}', { format: 'ndjson' });
  const { id: viewId } = await client.call(views.createView, {
    params: { solutionId: solution.id },
    body: { name: 'Big', dataset, q: 'port > 1000' },
  });
  const params = { solutionId: solution.id, viewId };
  await client.call(tableFollows.setViewFollow, { params, body: {} });
  const rows = '{"host": "new.example", "port": 9000}\n{"host": "old.example", "port": 2}';
  await client.rows.append(dataset, rows, { format: 'ndjson' });

  const { text, link } = await readMail(account.email, /^hosts: 1 new in "Big"$/);
  expect(text).toContain('An upload has changed rows of "hosts" that match "Big": 1 row is new. In the whole table,');
  expect(text).toMatch(/The matching row:\n\n {5}host +port\n-+ +-+ +-+\nnew +new\. example +9000\n/);
  expect(text).not.toContain('old');
  expect(text).toContain('because you follow the view "Big"');
  expect(link?.pathname).toBe(`/solutions/${solution.id}/views/${viewId}`);
  const { results } = await client.call(notifications.listNotifications);
  expect(results).toMatchObject([{ type: 'TABLE_CHANGED', metadata: { matching_new: 1, new: 1, changed: 1 } }]);

  const { email, password } = account;
  const page = await submit(`${account.url}${link?.pathname}`, { email, password });
  expect(page).toContain('<dt>Query</dt>');
  const fields = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const session = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
  const after = await submit(`${account.url}${link?.pathname}`, { ...session, action: 'unfollow' });
  expect(after).toContain('You no longer follow it.');
  expect(await client.call(tableFollows.getViewFollow, { params })).toMatchObject({ following: false });
});

/** Submits the form of a page as a browser does. */
async function submit(url: string, fields: Record<string, string>): Promise<string> {
  const response = await checkedFetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  expect(response.status).toBe(200);
  return response.text();
}

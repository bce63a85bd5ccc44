import { beforeAll, expect, it } from '@jest/globals';
import { datasets, notifications, solutions, tableFollows, views } from '@millrace/contracts/resources';
import { readMail } from './support/read-mail.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

it('a follower of a view gets a mail with the rows that match, and stops following as the mail says', async () => {
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

  const [, method = '', path = ''] = /or send (DELETE) (\S+) to the API\./.exec(text) ?? [];
  expect(await rawRequest(account, method, path)).toMatchObject({ status: 200 });
  expect(await client.call(tableFollows.getViewFollow, { params })).toMatchObject({ following: false });
});

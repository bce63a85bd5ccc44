import { beforeAll, expect, it } from '@jest/globals';
import { datasets, rows, solutions } from '@millrace/contracts/resources';
import { signUp, systemUrl, type Account } from './support/sign-up.js';

/** Names that have a meaning in JavaScript, the query language, Postgres (limit of 63 bytes) or Live Tables. */
const NAMES = [
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toJSON', 'then', 'length'],
  ...['select', 'AND', 'null', 'now', 'a.b', 'a b', '`', '"', "'", '\\', '$1', '%s', ';--', '{}'],
  ...['_id', '_row', '_state', 'c1', 'xmin', 'ctid', 'ключ', '名前', '👍', 'é', 'e\u0301', ' '],
  ...['Host', 'host', 'HOST', 'x'.repeat(1000), 'ы'.repeat(400)],
];

let account: Account;
beforeAll(async () => void (account = await signUp()));

it('columns keep the names of the upload in every response', async () => {
  const { client, space, access } = account;
  const solution = await client.call(solutions.createSolution, { body: { name: 'Names', space } });
  const { id } = await client.call(datasets.createDataset, { body: { name: 'names', solution: solution.id } });
  const line = `{${NAMES.map((name, at) => `${JSON.stringify(name)}:${at}`).join(',')}}`;
  expect(await client.rows.append(id, line, { format: 'ndjson' })).toMatchObject({ status: 'COMPLETED', rows_new: 1 });

  const select = NAMES.map((name) => `\`${name.replaceAll('`', '``')}\``).join(',');
  const query = new URLSearchParams({ select });
  const response = await fetch(`${systemUrl()}/api/datasets/${id}/rows?${query.toString()}`, {
    headers: { authorization: `Bearer ${access}` },
  });
  const page = JSON.parse(await response.text()) as { results: [object]; columns: { name: string }[] };
  const values = new Map(Object.entries(page.results[0]));
  for (const [at, name] of NAMES.entries()) expect([name, values.get(name)]).toEqual([name, at]);
  expect(page.columns.map(({ name }) => name)).toEqual(NAMES);

  for (const [at, name] of NAMES.entries()) {
    const quoted = `\`${name.replaceAll('`', '``')}\``;
    const request = { params: { id }, query: { q: `${quoted} = ${at}`, select: quoted, order: `-${quoted}` } };
    const [found] = (await client.call(rows.queryRows, request)).results;
    expect(Object.entries(found as object)).toEqual([[name, at]]);
  }
});

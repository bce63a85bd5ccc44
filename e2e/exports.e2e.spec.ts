import { buffer, text } from 'node:stream/consumers';
import { beforeAll, expect, it } from '@jest/globals';
import { datasets, exports, solutions } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
let dataset: string;
beforeAll(async () => {
  account = await signUp();
  const { client, space } = account;
  const solution = await client.call(solutions.createSolution, { body: { name: 'Found', space } });
  const table = await client.call(datasets.createDataset, { body: { name: 'Hosts', solution: solution.id } });
  dataset = table.id;
  const rows = Array.from({ length: 1_000 }, (_, at) =>
    JSON.stringify({ host: `h${at}`, 'the "port"': at, ok: at % 2 === 0 }),
  );
  await client.rows.append(dataset, rows.join('\n'), { format: 'ndjson' });
  await eventually(async () => {
    const { row_count: count } = await client.call(datasets.getDataset, { params: { id: dataset } });
    expect(count).toBe(1_000);
  });
});

async function exportToEnd(body: object): Promise<string> {
  const { client } = account;
  const { id } = await client.call(exports.createExport, { body: { dataset, ...body } });
  await eventually(async () => {
    const { status } = await client.call(exports.getExport, { params: { id } });
    expect(status).toBe('COMPLETED');
  });
  return id;
}

it('an export contains the uploaded rows unmodified, and its file can be downloaded in ranges', async () => {
  const { client } = account;
  const id = await exportToEnd({ format: 'ndjson', q: 'ok = true', order: '-"the ""port"""' });
  const whole = await client.download(exports.downloadExport, { params: { id } });
  const content = await buffer(whole.body);
  const rows = content
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(rows.length).toBe(500);
  expect(rows[0]).toEqual({ host: 'h998', 'the "port"': 998, ok: true });
  const rest = await client.download(exports.downloadExport, { params: { id } }, { range: { start: 1_000 } });
  expect(rest.totalSize).toBe(content.length);
  expect(await text(rest.body)).toBe(content.subarray(1_000).toString());
});

it('an exported file can be uploaded again, and its export is the same file', async () => {
  const { client } = account;
  const file = async () => {
    const id = await exportToEnd({ format: 'csv' });
    return text((await client.download(exports.downloadExport, { params: { id } })).body);
  };
  const first = await file();
  await client.call(datasets.clearDataset, { params: { id: dataset } });
  await client.rows.append(dataset, first, { format: 'csv' });
  await eventually(async () => expect(await file()).toBe(first));
});

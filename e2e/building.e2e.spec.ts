import { beforeAll, describe, expect, it } from '@jest/globals';
import { exchange, notifications, runs, snapshots, spaces, versions, workflows } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { checkedFetch } from './support/checked-fetch.js';
import { invite } from './support/invite.js';
import { makeWorkflow, readFilePort, runToEnd, script, toData, waitForEnd } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const DRAFT = { nodes: { 'only-1': script('echo "1: yes # 💡"') } };

const rawExport = (id: string, query = '') =>
  checkedFetch(`${account.url}/api/workflows/${id}/export${query}`, {
    headers: { authorization: `Bearer ${account.access}` },
  });
const rawImport = (body: string, type: string, query = '') =>
  rawRequest(account, 'POST', `/api/workflows/import?space=${account.space}${query}`, {
    body,
    headers: { 'content-type': type },
  });

describe('a workflow as a file', () => {
  it.each([
    ['yaml', 'application/yaml'],
    ['yaml', 'application/x-yaml; charset=utf-8'],
    ['yaml', 'text/yaml'],
    ['json', 'application/json'],
  ])('is exported as %s, and after an import as %s it is the same and runs', async (format, type) => {
    const { client } = account;
    const id = await makeWorkflow(account, DRAFT);
    await client.call(workflows.updateWorkflow, { params: { id }, body: { name: 'Größe/1' } });
    const out = await rawExport(id, `?format=${format}`);
    expect([out.status, out.headers.get('content-type')]).toEqual([200, `application/${format}; charset=utf-8`]);
    expect(out.headers.get('content-disposition')).toBe(
      `attachment; filename="Gro_e-1.${format}"; filename*=UTF-8''Gr%C3%B6%C3%9Fe-1.${format}`,
    );
    const { status, body } = await rawImport(await out.text(), type, '&name=Back');
    expect([status, body.name, body.space_info]).toEqual([201, 'Back', account.space]);
    const params = (workflow: string) => ({ params: { id: workflow, versionId: 'latest' } });
    const made = String(body.id);
    const [before, after] = [
      await client.call(versions.getVersion, params(id)),
      await client.call(versions.getVersion, params(made)),
    ];
    expect(after.data).toEqual(before.data);
    const run = await client.call(runs.createRun, { params: { id: made }, body: {} });
    await waitForEnd(client, run.id);
    expect(await readFilePort(client, run.id, 'only-1')).toBe('1: yes # 💡\n');
  });

  it.each([
    ['not YAML', 'a: [1', 'application/yaml', 'body.yaml'],
    ['YAML that is not a workflow', 'a: 1', 'application/yaml', 'body.name'],
    ['a JSON document without a name', '{"millrace":1,"data":{}}', 'application/json', 'body.name'],
    ['a JSON document of another format', '{"millrace":7,"name":"x","data":{}}', 'application/json', 'body.millrace'],
    ['JSON whose YAML is not a string', '{"yaml":7}', 'application/json', 'body.yaml'],
    ['an empty body', '', 'application/yaml', 'body'],
  ])('that is %s is rejected with 400 and the place of the problem', async (_, text, type, place) => {
    const { status, body } = await rawImport(text, type);
    expect({ status, ...body }).toMatchObject({
      status: 400,
      code: 'validation_error',
      details: { [place]: expect.any(String) },
    });
  });

  it('that is not UTF-8 or has an unknown type is rejected with 400', async () => {
    const latin = new Uint8Array([0x61, 0x3a, 0x20, 0xff]);
    const path = `/api/workflows/import?space=${account.space}`;
    for (const type of ['application/yaml', 'application/toml']) {
      const { status } = await rawRequest(account, 'POST', path, { body: latin, headers: { 'content-type': type } });
      expect([type, status]).toEqual([type, 400]);
    }
  });

  it.each([
    ['content-type', 'application/yaml; charset=utf-16', 'header.Content-Type'],
    ['content-encoding', 'gzip', 'header.Content-Encoding'],
  ])('that is compressed or has another charset is rejected with 400: %s %s', async (header, value, place) => {
    const path = `/api/workflows/import?space=${account.space}`;
    const headers = { 'content-type': 'application/yaml', [header]: value };
    const { status, body } = await rawRequest(account, 'POST', path, {
      body: 'millrace: 1\nname: x\ndata: {}\n',
      headers,
    });
    expect({ status, ...body }).toMatchObject({ status: 400, details: { [place]: expect.any(String) } });
  });

  it('is not accepted as YAML by other operations', async () => {
    const path = `/api/spaces/${account.space}/workflows`;
    const { status, body } = await rawRequest(account, 'POST', path, {
      body: 'name: x',
      headers: { 'content-type': 'application/yaml' },
    });
    expect({ status, ...body }).toMatchObject({ status: 400, details: { 'body.yaml': 'is not a known field' } });
  });
});

it('a workflow that moves to another space keeps its runs, and their readers change', async () => {
  const { client } = account;
  const guest = await invite(account);
  const away = await client.call(spaces.createSpace, { body: { name: 'Away' } });
  const run = await runToEnd(account, DRAFT);
  const params = { id: run.workflow_info };
  await client.call(exchange.moveWorkflow, { params, body: { space: away.id } });
  await eventually(async () => {
    const moved = await client.call(runs.getRun, { params: { id: run.id } });
    expect(moved).toMatchObject({ space_info: away.id, space_name: 'Away' });
  });
  const seen = guest.client.call(runs.getRun, { params: { id: run.id } });
  await expect(seen).rejects.toMatchObject({ code: 'not_found' });
});

it('a snapshot causes a notification in the vault, is listed in its library, and can be copied from there', async () => {
  const { client, space } = account;
  const guest = await invite(account);
  const id = await makeWorkflow(account, DRAFT);
  const { data, ...version } = await client.call(versions.getVersion, { params: { id, versionId: 'latest' } });
  const body = { workflow_version_info: version.id, name: 'Release' };
  const { status, body: made } = await rawRequest(account, 'POST', `/api/workflows/${id}/snapshots`, {
    body: JSON.stringify(body),
  });
  expect([status, made.name, made.description]).toEqual([200, 'Release', null]);
  const snapshotId = String(made.id);
  const published = await guest.client.call(snapshots.getPublished, { params: { snapshotId } });
  expect(published).toMatchObject({ name: 'Release', data });
  await eventually(async () => {
    const { results } = await guest.client.call(notifications.listNotifications);
    expect(results).toMatchObject([{ notification_type: 'WORKFLOW_RELEASED', metadata: { snapshot: snapshotId } }]);
  });
  const copy = await client.call(snapshots.copyPublished, { params: { snapshotId }, body: { space } });
  expect(copy).toMatchObject({ name: 'Release', is_app: false });
  const original = await client.call(workflows.getWorkflow, { params: { id } });
  expect(original.is_app).toBe(true);
});

it("the list of all the vault's workflows links only to pages that exist", async () => {
  const owner = await signUp();
  for (const only of ['a', 'b', 'c']) {
    await owner.client.call(workflows.createWorkflow, { params: { spaceId: owner.space }, body: { name: only } });
  }
  const page = async (number: number) =>
    (await rawRequest(owner, 'GET', `/api/vault/workflows?page_size=3&ordering=name&page=${number}`)).body;
  const [first, last] = [await page(1), await page(2)];
  expect(first).toMatchObject({ count: 4, next: expect.stringContaining('page=2') });
  expect(first).not.toHaveProperty('previous');
  expect(last).toMatchObject({ count: 4, previous: expect.stringContaining('page=1') });
  expect(last).not.toHaveProperty('next');
  expect(last.results).toMatchObject([
    { name: 'c', space: { id: owner.space, playground: true }, has_database: false },
  ]);
});

it('an import has the same limits as a save', async () => {
  const nodes = Object.fromEntries(Array.from({ length: 5_001 }, (_, at) => [`n-${at}`, script('echo')]));
  const document = { millrace: 1, name: 'x', data: toData({ nodes }) };
  const { status, body } = await rawImport(JSON.stringify(document), 'application/json');
  expect({ status, ...body }).toMatchObject({ status: 400, code: 'validation_error' });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Request } from '@millrace/contracts/kit/operation';
import {
  createWebhook,
  deleteWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@millrace/contracts/notifications/webhooks';
import { spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { workflowDeleted } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { fakeWorkflows, type FakeWorkflows } from '@millrace/testkit/fake-workflows';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';

let system: System;
let workflows: FakeWorkflows;
beforeAll(async () => {
  system = await startApps([start], { EGRESS_ALLOW: '10.1.0.0/16' });
  workflows = await fakeWorkflows(system);
});
afterAll(() => system.close());

type Body = Request<typeof createWebhook>['body'];
const BODY: Body = { name: 'CI', url: 'https://webhooks.invalid/in?key=k', events: ['run.failed'] };
const create = (caller: Caller, fields: Partial<Body> = {}, key?: string) =>
  system.callAs(
    caller,
    createWebhook,
    { body: { ...BODY, ...fields } },
    key === undefined ? {} : { idempotencyKey: key },
  );

const adminOf = (owner: Caller, spaces: Parameters<typeof memberCaller>[1] = {}): Caller => ({
  ...memberCaller(owner, spaces),
  vaultRole: 'space_admin',
});

describe('a webhook', () => {
  it('is created with a secret that is shown then and at its rotation only', async () => {
    const owner = ownerCaller();
    const made = await create(owner, { workflow: workflows.workflow(owner, workflows.space(owner)) });
    expect(made).toMatchObject({ ...BODY, kind: 'standard', enabled: true, author: owner.user });
    expect(made.secret).toMatch(/^whsec_/);
    const params = { id: made.id };
    const { secret, ...shown } = made;
    expect(await system.callAs(owner, getWebhook, { params })).toEqual(shown);
    expect((await system.callAs(owner, listWebhooks)).results).toEqual([shown]);
    const rotated = await system.callAs(owner, rotateWebhookSecret, { params });
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
  });

  it('of kind slack shows only the origin of its URL, and has no secret', async () => {
    const owner = ownerCaller();
    const { id, ...made } = await create(owner, { kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/XXXX' });
    expect(made).not.toHaveProperty('secret');
    expect(made.url).toBe('https://hooks.slack.com/…');
    await expect(system.callAs(owner, rotateWebhookSecret, { params: { id } })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });

  it('prevents the start of the service with another MILLRACE_SECRET', async () => {
    await create(ownerCaller());
    const another = system.start(start, { MILLRACE_SECRET: 'another secret of the tests, 32 characters' });
    await expect(another).rejects.toThrow('was encrypted with another MILLRACE_SECRET');
  });

  it('of kind slack keeps its URL if a request contains the redacted one', async () => {
    const owner = ownerCaller();
    const fullUrl = 'https://hooks.slack.com/services/T0/B0/XXXX';
    const { id, url } = await create(owner, { kind: 'slack', url: fullUrl });
    const sealed = () =>
      system.database.query<{ url: Buffer }>('SELECT url FROM notifications.webhook WHERE id = $1', [id]);
    const before = await sealed();
    const update = (newUrl: string) =>
      system.callAs(owner, updateWebhook, { params: { id }, body: { name: 'Chat', url: newUrl } });
    expect(await update(url)).toMatchObject({ name: 'Chat', url });
    await update(new URL(url).href);
    expect(await sealed()).toEqual(before);
    const rejection = { code: 'validation_error', details: { 'body.url': expect.any(String) } };
    await expect(update('https://hooks.example.org/…')).rejects.toMatchObject(rejection);
    await expect(create(owner, { kind: 'slack', url })).rejects.toMatchObject(rejection);
    await update(`${fullUrl}2`);
    expect(await sealed()).not.toEqual(before);
  });

  it('is stored with neither its URL nor its secret in clear', async () => {
    const { id, secret = '' } = await create(ownerCaller());
    const [row] = await system.database.query<{ text: string; url: Buffer; secret: Buffer }>(
      'SELECT w::text AS text, url, secret FROM notifications.webhook w WHERE id = $1',
      [id],
    );
    const all = [row?.text, row?.url.toString('latin1'), row?.secret.toString('latin1')].join(' ');
    expect(all).toContain('CI');
    expect(all).not.toContain('webhooks.invalid');
    expect(all).not.toContain(secret.slice(6));
    const responses = await system.database.query<{ all: string }>(
      'SELECT i::text AS all FROM messaging.idempotent_request i',
    );
    for (const { all: response } of responses) expect(response).not.toContain(secret.slice(6));
  });

  it('is changed field by field, and null removes a filter', async () => {
    const owner = ownerCaller();
    const space = workflows.space(owner);
    const { id } = await create(owner, { space, workflow: workflows.workflow(owner, space) });
    const update = (body: Request<typeof updateWebhook>['body']) =>
      system.callAs(owner, updateWebhook, { params: { id }, body });
    expect(await update({ name: 'Renamed', space: null })).not.toHaveProperty('space');
    const events = ['tool.released', 'run.completed', 'tool.released'] as const;
    const changed = await update({ url: 'http://10.1.2.3/x', events: [...events], enabled: false });
    expect(changed).toMatchObject({ name: 'Renamed', url: 'http://10.1.2.3/x', enabled: false });
    expect(changed.events).toEqual(['tool.released', 'run.completed']);
    expect(changed).toHaveProperty('workflow');
  });

  it('does not exist after it was deleted', async () => {
    const owner = ownerCaller();
    const { id } = await create(owner);
    const delivery = await system.callAs(owner, testWebhook, { params: { id } });
    await system.callAs(owner, deleteWebhook, { params: { id } });
    await expect(system.callAs(owner, getWebhook, { params: { id } })).rejects.toMatchObject({ code: 'not_found' });
    const params = { id, deliveryId: delivery.id };
    await expect(system.callAs(owner, getDelivery, { params })).rejects.toMatchObject({ code: 'not_found' });
    await expect(system.callAs(owner, deleteWebhook, { params: { id } })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is one of at most 20 per vault, even if many are created concurrently', async () => {
    const owner = ownerCaller();
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => create(owner)));
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(rejected.map(({ reason }) => (reason as { code: string }).code)).toEqual(Array(4).fill('validation_error'));
    expect((await system.callAs(owner, listWebhooks)).count).toBe(20);
  });

  it('is created once for repeated requests with one Idempotency-Key, with the same secret in each response', async () => {
    const owner = ownerCaller();
    const key = newId();
    const [first, second] = [await create(owner, {}, key), await create(owner, {}, key)];
    expect(second).toEqual(first);
    expect((await system.callAs(owner, listWebhooks)).count).toBe(1);
  });
});

describe('a space or workflow that does not exist', () => {
  it('is rejected as a filter, by the name of the field', async () => {
    const [owner, otherOwner] = [ownerCaller(), ownerCaller()];
    const space = workflows.space(otherOwner);
    const workflow = workflows.workflow(otherOwner, space);
    const { id } = await create(owner);
    const rejectionAt = (field: string) => ({ code: 'validation_error', details: { [field]: expect.any(String) } });
    for (const filter of [{ space }, { workflow }, { space: newId() }, { workflow: newId() }]) {
      const rejection = rejectionAt(`body.${Object.keys(filter)[0]}`);
      await expect(create(owner, filter)).rejects.toMatchObject(rejection);
      await expect(system.callAs(owner, updateWebhook, { params: { id }, body: filter })).rejects.toMatchObject(
        rejection,
      );
    }
  });

  it('disables the webhooks that filter by it when it is deleted, and prevents enabling them', async () => {
    const owner = ownerCaller();
    const [space, other] = [workflows.space(owner), workflows.space(owner)];
    const workflow = workflows.workflow(owner, other);
    const made = [
      await create(owner, { space }),
      await create(owner, { workflow }),
      await create(owner, { space: other }),
    ];
    const source = await system.sourceOf('workflows');
    await source.emit(spaceDeleted, { vault: owner.vault, space, name: 'Space', user: owner.user });
    workflows.workflows.delete(workflow);
    await source.emit(workflowDeleted, { vault: owner.vault, workflow });
    await source.emit(spaceDeleted, { vault: ownerCaller().vault, space: other, name: 'Space', user: owner.user });
    const read = (index: number) => system.callAs(owner, getWebhook, { params: { id: made[index]?.id ?? '' } });
    const disabled = { enabled: false, disabled_reason: expect.stringContaining('was deleted') };
    await eventually(async () => {
      expect(await read(0)).toMatchObject(disabled);
      expect(await read(1)).toMatchObject(disabled);
    });
    expect(await read(2)).toMatchObject({ enabled: true });
    const params = { id: made[1]?.id ?? '' };
    const enable = (more: object) => system.callAs(owner, updateWebhook, { params, body: { enabled: true, ...more } });
    await expect(enable({})).rejects.toMatchObject({ details: { 'body.workflow': expect.any(String) } });
    expect(await enable({ workflow: null })).toMatchObject({ enabled: true });
  });
});

describe('an invalid URL', () => {
  it.each([
    '',
    'nonsense',
    '/path',
    'ftp://example.org',
    'file:///etc/passwd',
    'https://u:p@example.org',
    'https://u@example.org',
    'http://',
  ])('%j is rejected by the contract', (url) => {
    expect(createWebhook.body.safeParse({ ...BODY, url }).success).toBe(false);
    expect(updateWebhook.body.safeParse({ url }).success).toBe(false);
  });

  const PRIVATE = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '0.0.0.0', '10.2.0.1', '192.168.1.1'],
    ...['172.16.0.1', '169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255', '１２７.０.０.１'],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ],
  ];
  it.each(PRIVATE)('http://%s/ is rejected when it is set, by the name of the field', async (host) => {
    const owner = ownerCaller();
    const rejection = { code: 'validation_error', details: { 'body.url': expect.stringContaining('EGRESS_ALLOW') } };
    await expect(create(owner, { url: `http://${host}/` })).rejects.toMatchObject(rejection);
    const { id } = await create(owner);
    const body = { url: `https://${host}:8443/x` };
    await expect(system.callAs(owner, updateWebhook, { params: { id }, body })).rejects.toMatchObject(rejection);
  });
});

describe('a caller without permission', () => {
  it('cannot reach webhooks of another vault', async () => {
    const [owner, otherOwner] = [ownerCaller(), ownerCaller()];
    const { id } = await create(owner);
    const { id: deliveryId } = await system.callAs(owner, testWebhook, { params: { id } });
    const params = { id };
    const requests = [
      system.callAs(otherOwner, getWebhook, { params }),
      system.callAs(otherOwner, updateWebhook, { params, body: { name: 'Mine' } }),
      system.callAs(otherOwner, deleteWebhook, { params }),
      system.callAs(otherOwner, rotateWebhookSecret, { params }),
      system.callAs(otherOwner, testWebhook, { params }),
      system.callAs(otherOwner, listDeliveries, { params }),
      system.callAs(otherOwner, getDelivery, { params: { id, deliveryId } }),
      system.callAs(otherOwner, redeliver, { params: { id, deliveryId } }),
      system.callAs(owner, getDelivery, { params: { id, deliveryId: newId() } }),
      system.callAs(owner, getDelivery, { params: { id, deliveryId: 'no-id' } }),
      system.callAs(owner, getWebhook, { params: { id: 'no-id' } }),
    ];
    for (const request of requests) await expect(request).rejects.toMatchObject({ code: 'not_found' });
    expect((await system.callAs(otherOwner, listWebhooks)).count).toBe(0);
  });

  it('in a space can neither subscribe to its runs nor see webhooks of other users that report them', async () => {
    const owner = ownerCaller();
    const [seen, unseen] = [workflows.space(owner), workflows.space(owner)];
    const admin = adminOf(owner, { [seen]: 'read', [unseen]: 'insights' });
    for (const filter of [{}, { space: unseen }, { space: newId() }, { workflow: newId() }])
      await expect(create(admin, filter)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(create(admin, { events: ['billing.released'], space: seen })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await create(owner, { events: ['billing.restricted'] });
    const inSeen = await create(admin, { space: seen });
    const ofReleases = await create(admin, { events: ['tool.released'] });
    const ofAll = await create(owner);
    const { results } = await system.callAs(admin, listWebhooks);
    expect(results.map(({ id }) => id).sort()).toEqual([inSeen.id, ofReleases.id].sort());
    const params = { id: ofAll.id };
    await expect(system.callAs(admin, listDeliveries, { params })).rejects.toMatchObject({ code: 'not_found' });
    const widened = [
      system.callAs(admin, updateWebhook, { params: { id: inSeen.id }, body: { space: null } }),
      system.callAs(admin, updateWebhook, { params: { id: inSeen.id }, body: { space: unseen } }),
      system.callAs(admin, updateWebhook, { params: { id: ofReleases.id }, body: { events: ['run.stopped'] } }),
    ];
    for (const request of widened) await expect(request).rejects.toMatchObject({ code: 'forbidden' });
    expect((await system.callAs(owner, listWebhooks)).count).toBe(4);
  });
});

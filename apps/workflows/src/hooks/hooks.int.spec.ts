import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RestrictedError } from '@millrace/contracts/billing/restriction';
import { ForbiddenError } from '@millrace/contracts/kit/api-error';
import { deleteHook, fireHook, getHook, rotateHook, updateHook } from '@millrace/contracts/workflows/hooks';
import { getWorkflow } from '@millrace/contracts/workflows/workflows';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import { fakeRuns, type FakeRuns } from '@millrace/testkit/fake-runs';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { seedAs, chainOf, edge } from '../testing/seed.js';

let system: System;
let runs: FakeRuns;
beforeAll(async () => {
  system = await startApps([start]);
  runs = await fakeRuns(system);
});
afterEach(() => {
  runs.onLaunch = () => undefined;
});
afterAll(() => system.close());

const DATA = {
  ...chainOf(1),
  primitiveNodes: {
    'string-input-1': { type: 'STRING', label: 'domain', value: 'x' },
    'boolean-input-1': { type: 'BOOLEAN', label: 'deep' },
  },
};

/** A workflow that also needs a file. */
const withFile = {
  ...DATA,
  primitiveNodes: { ...DATA.primitiveNodes, 'http-input-1': { type: 'FILE' } },
  connections: [edge('http-input-1/output', 'step-1/file')],
};

/** A call with any body. */
const send = (payload: string | Buffer, token: string, more: Parameters<System['callAs']>[3] = {}) => {
  const body = { payload: Buffer.from(payload).toString('base64') };
  return system.callAs(null, fireHook, { params: { token }, body }, more);
};

async function seeded(data: object = DATA) {
  const caller = ownerCaller();
  runs.callers.set(caller.user, caller);
  const { id } = await seedAs(system.callAs, caller).saved(data);
  const params = { id };
  const made = await system.callAs(caller, rotateHook, { params });
  const callHook = (body: unknown = {}, idempotencyKey?: string, { token = made.token, address = '10.0.0.1' } = {}) =>
    send(JSON.stringify(body), token, { address, ...(idempotencyKey && { idempotencyKey }) });
  return { caller, id, params, made, callHook };
}

describe('a hook', () => {
  it('starts a run on behalf of its author, with the inputs in the body', async () => {
    const { caller, id, made, callHook, params } = await seeded();
    expect(made.token).toMatch(/^[\w-]{43}$/);
    expect(made).toMatchObject({ url: `http://127.0.0.1/api/hooks/${made.token}`, prefix: made.token.slice(0, 8) });
    const { run } = await callHook({ domain: 'a.org', other: 1, none: null });
    // The start of the run refuses inputs that the workflow does not have.
    const inputs = { domain: 'a.org', other: '1' };
    expect(runs.runsOf(id)).toMatchObject([{ run, caller, creationType: 'HOOK', inputs }]);
    const shown = await system.callAs(caller, getHook, { params });
    expect(shown).toMatchObject({ prefix: made.prefix, author: caller.user, last_used_date: expect.any(String) });
    expect(JSON.stringify(shown)).not.toContain(made.token);
  });

  it('has one token, which a new token or the deletion revokes at once', async () => {
    const { caller, params, callHook, made } = await seeded();
    await callHook({}, 'key');
    const { token } = await system.callAs(caller, rotateHook, { params });
    expect(token).not.toBe(made.token);
    for (const key of [undefined, 'key']) await expect(callHook({}, key)).rejects.toMatchObject({ code: 'not_found' });
    await callHook({}, undefined, { token });
    await system.callAs(caller, deleteHook, { params });
    await expect(callHook({}, undefined, { token })).rejects.toMatchObject({ code: 'not_found' });
    for (const operation of [getHook, deleteHook]) {
      await expect(system.callAs(caller, operation, { params })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('has one token even if several are requested at once', async () => {
    const { caller, params, callHook } = await seeded();
    const made = await Promise.all(Array.from({ length: 6 }, () => system.callAs(caller, rotateHook, { params })));
    const outcomes = await Promise.allSettled(made.map(({ token }) => callHook({}, undefined, { token })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is stored without its token', async () => {
    const { made } = await seeded();
    const rows = await system.database.query<{ row: string }>('SELECT h::text AS row FROM workflows.hook h');
    expect(rows.map(({ row }) => row).join()).not.toContain(made.token);
  });

  it('starts one run per idempotency key, refuses another body under the same key, and starts a run for each call without a key', async () => {
    const { id, callHook } = await seeded();
    const first = await callHook({ domain: 'a' }, 'key');
    expect(await callHook({ domain: 'a' }, 'key', { address: '10.9.9.9' })).toEqual(first);
    await expect(callHook({ domain: 'b' }, 'key')).rejects.toMatchObject({ code: 'validation_error' });
    const other = await seeded();
    await other.callHook({ domain: 'c' }, 'key');
    await callHook({ domain: 'a' });
    await callHook({ domain: 'a' });
    expect(runs.runsOf(id)).toHaveLength(3);
    expect(runs.runsOf(other.id)).toHaveLength(1);
  });

  it('starts one run per idempotency key even if the first response was lost', async () => {
    const { id, callHook } = await seeded();
    runs.onLaunch = (moment) => {
      if (moment === 'response') throw new Error('The process exited');
    };
    await expect(callHook({}, 'key')).rejects.toMatchObject({ code: 'internal_error' });
    runs.onLaunch = () => undefined;
    const { run } = await callHook({}, 'key');
    expect(runs.runsOf(id).map((started) => started.run)).toEqual([run]);
  });

  it('explains that its author may no longer run the workflow', async () => {
    const { caller, callHook } = await seeded();
    runs.onLaunch = () => {
      throw new ForbiddenError();
    };
    await expect(callHook()).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('may no longer run'),
    });
    runs.callers.delete(caller.user);
    await expect(callHook()).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('no longer'),
    });
  });

  it('explains that the vault may not start runs, and does not blame its author', async () => {
    const { callHook } = await seeded();
    runs.onLaunch = () => {
      throw new RestrictedError('credits');
    };
    await expect(callHook()).rejects.toMatchObject({
      ...{ code: 'forbidden', message: expect.stringContaining('credits') },
      details: { restriction: { reason: 'credits' } },
    });
  });

  it('requires a JSON object, and a workflow with a version', async () => {
    const { callHook } = await seeded();
    for (const body of [[], 'x', 1, true]) {
      await expect(callHook(body)).rejects.toMatchObject({
        code: 'validation_error',
        details: { body: expect.any(String) },
      });
    }
    const caller = ownerCaller();
    const { id } = await seedAs(system.callAs, caller).workflow();
    const { token } = await system.callAs(caller, rotateHook, { params: { id } });
    await expect(callHook({}, undefined, { token })).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('a hook with payload_as', () => {
  const inputs = (id: string) => runs.runsOf(id).map((run) => run.inputs);

  it('passes any body to a STRING input as text', async () => {
    const { caller, id, params, made } = await seeded();
    const changed = await system.callAs(caller, updateHook, { params, body: { payload_as: 'domain' } });
    expect(changed).toMatchObject({ payload_as: 'domain', prefix: made.prefix });
    for (const text of ['{"action":"opened","n":[1]}', 'a=1&b=2', '']) await send(text, made.token);
    expect(inputs(id)).toEqual([{ domain: '{"action":"opened","n":[1]}' }, { domain: 'a=1&b=2' }, { domain: '' }]);
    await expect(send(Buffer.from([0xff]), made.token)).rejects.toMatchObject({ code: 'validation_error' });
  });

  it("refuses text that is too long for a command's argument, and names the type of input that accepts it", async () => {
    const { caller, id, params, made } = await seeded();
    await system.callAs(caller, updateHook, { params, body: { payload_as: 'domain' } });
    await send('a'.repeat(131_071), made.token);
    await expect(send('a'.repeat(131_072), made.token)).rejects.toMatchObject({
      code: 'payload_too_large',
      details: { 'body.domain': expect.stringContaining('a FILE input takes more') },
    });
    expect(inputs(id)).toHaveLength(1);
  });

  it('passes the bytes of the body to a FILE input', async () => {
    const { caller, made, id, params } = await seeded(withFile);
    await system.callAs(caller, updateHook, { params, body: { payload_as: 'http-input-1' } });
    const bytes = Buffer.from([0, 0xff, 1]);
    await send(bytes, made.token);
    expect(runs.runsOf(id)).toMatchObject([{ inputs: {}, contents: { 'http-input-1': bytes.toString('base64') } }]);
  });

  it('cannot be set to a missing input, to one of another type, or if a run needs further inputs', async () => {
    const { caller, params } = await seeded();
    const set = (payload_as: string) => system.callAs(caller, updateHook, { params, body: { payload_as } });
    for (const name of ['domains', 'boolean-input-1']) {
      await expect(set(name)).rejects.toMatchObject({
        ...{
          code: 'validation_error',
          details: { 'body.payload_as': expect.any(String), accepted: expect.any(Array) },
        },
      });
    }
    const other = await seeded(withFile);
    const refused = system.callAs(other.caller, updateHook, { params: other.params, body: { payload_as: 'domain' } });
    await expect(refused).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'inputs.http-input-1': expect.any(String) },
    });
  });

  it('keeps its settings under a new token, until they are removed', async () => {
    const { caller, id, params } = await seeded();
    await system.callAs(caller, updateHook, { params, body: { payload_as: 'domain' } });
    const { token, payload_as } = await system.callAs(caller, rotateHook, { params });
    expect(payload_as).toBe('domain');
    expect(await system.callAs(caller, updateHook, { params, body: { payload_as: null } })).not.toHaveProperty(
      'payload_as',
    );
    await send('{"domain":"a"}', token);
    expect(inputs(id)).toEqual([{ domain: 'a' }]);
  });
});

describe('a hook with a signature', () => {
  const SECRET = 'hook-signing-secret';
  const signed = (text: string, secret = SECRET) => ({
    headers: { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}` },
  });
  const unauthenticated = {
    ...{ code: 'unauthenticated', details: { 'header.X-Hub-Signature-256': expect.any(String) } },
  };

  async function signedHook() {
    const all = await seeded();
    const body = { signature: { scheme: 'github' as const, secret: SECRET } };
    const shown = await system.callAs(all.caller, updateHook, { params: all.params, body });
    return { ...all, shown, token: all.made.token };
  }

  it('starts runs for signed calls only, also if the idempotency key has a stored response', async () => {
    const { id, token } = await signedHook();
    const text = '{"domain": "a.org"}';
    const first = await send(text, token, { ...signed(text), idempotencyKey: 'once' });
    expect(await send(text, token, { ...signed(text), idempotencyKey: 'once' })).toEqual(first);
    for (const wrong of [{}, signed(`${text} `), signed(text, 'another-secret')]) {
      await expect(send(text, token, wrong)).rejects.toMatchObject(unauthenticated);
      await expect(send(text, token, { ...wrong, idempotencyKey: 'once' })).rejects.toMatchObject(unauthenticated);
    }
    expect(runs.runsOf(id)).toHaveLength(1);
  });

  it('shows the signature settings and never the secret, which is stored encrypted', async () => {
    const { caller, params, shown } = await signedHook();
    expect(shown.signature).toEqual({ scheme: 'github' });
    const rotated = await system.callAs(caller, rotateHook, { params });
    expect(rotated.signature).toEqual({ scheme: 'github' });
    for (const response of [shown, rotated, await system.callAs(caller, getHook, { params })]) {
      expect(JSON.stringify(response)).not.toContain(SECRET);
    }
    const rows = await system.database.query<{ row: string }>(
      `SELECT h::text || coalesce(encode(signature_secret, 'escape'), '') AS row FROM workflows.hook h`,
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(SECRET);
  });

  it('accepts unsigned calls again after the signature is removed', async () => {
    const { caller, params, id, token } = await signedHook();
    await system.callAs(caller, updateHook, { params, body: { signature: null } });
    await send('{}', token);
    expect(runs.runsOf(id)).toHaveLength(1);
  });

  it('can be set by writers only', async () => {
    const { caller, params } = await seeded();
    const { space_info } = await system.callAs(caller, getWorkflow, { params });
    const runner = memberCaller(caller, { [space_info]: 'execute' });
    const set = system.callAs(runner, updateHook, { params, body: { payload_as: null } });
    await expect(set).rejects.toMatchObject({ code: 'forbidden' });
  });
});

it('each change of a hook is in the audit log with its user and without secrets', async () => {
  const { caller, id, params, made } = await seeded();
  const secret = 'a secret that no response shows';
  const signature = { scheme: 'github' as const, secret };
  const { name } = await system.callAs(caller, getWorkflow, { params });
  await system.callAs(caller, updateHook, { params, body: { signature, payload_as: null } }, { address: '192.0.2.7' });
  await system.callAs(caller, updateHook, { params, body: {} });
  const { token } = await system.callAs(caller, rotateHook, { params });
  await system.callAs(caller, rotateHook, { params, body: { signature: null } });
  await system.callAs(caller, deleteHook, { params });
  await expect(system.callAs(caller, deleteHook, { params })).rejects.toMatchObject({ code: 'not_found' });
  const rows = await system.database.query<{ payload: object }>(
    `SELECT payload FROM messaging.outbox WHERE name = 'workflows.trigger.changed' AND payload->>'workflow' = $1 ORDER BY id`,
    [id],
  );
  const by = { vault: caller.vault, user: caller.user, workflow: id, name, address: '127.0.0.1' };
  expect(rows.map(({ payload }) => payload)).toEqual([
    { ...by, action: 'hook.created' },
    { ...by, action: 'hook.changed', fields: ['payload_as', 'signature'], address: '192.0.2.7' },
    { ...by, action: 'hook.token_rotated' },
    { ...by, action: 'hook.token_rotated', fields: ['signature'] },
    { ...by, action: 'hook.deleted' },
  ]);
  for (const hidden of [secret, token, made.token]) expect(JSON.stringify(rows)).not.toContain(hidden);
});

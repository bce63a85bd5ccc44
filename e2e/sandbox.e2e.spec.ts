import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { roles, sandbox } from '@millrace/contracts/resources';
import { findProcesses } from '@millrace/isolation/testing/find-processes';
import { eventually } from '@millrace/testkit/eventually';
import { invite } from './support/invite.js';
import {
  requestExec,
  eventsOf,
  execute,
  getFile,
  openSandbox,
  putFile,
  readToEnd,
  statusOf,
  vaultOf,
  waitUntilRunning,
} from './support/open-sandbox.js';
import { makeWorkflow, script } from './support/run-workflow.js';
import { rawRequest, signUp, type Account } from './support/sign-up.js';

let account: Account;
let workflow: string;
beforeAll(async () => {
  account = await signUp();
  workflow = await makeWorkflow(account, { nodes: { 'only-1': script('echo') } });
});

const place = () => ({ agentSessionId: `agent ${randomUUID()}` });
const refusal = (code: string) => expect.objectContaining({ code });
const MIB = 1024 * 1024;

describe('a sandbox session', () => {
  it('exists once per user and place, even with concurrent requests, and has a status until it is stopped', async () => {
    const here = place();
    expect(await statusOf(account, here)).toEqual({ success: true, status: 'none' });
    const ids = await Promise.all(Array.from({ length: 8 }, () => openSandbox(account, here)));
    expect(new Set(ids).size).toBe(1);
    await waitUntilRunning(account, here);
    const status = await statusOf(account, here);
    expect(status).toMatchObject({ success: true, status: 'running', sessionId: ids[0], ...here });
    expect(Date.parse(status.expiresAt ?? '') - Date.parse(status.lastActiveAt ?? '')).toBe(30 * 60_000);
    const other = await openSandbox(account, { workflowId: workflow });
    expect(other).not.toBe(ids[0]);
    expect(await statusOf(account)).toMatchObject({ sessionId: other, workflowId: workflow });
    expect(await account.client.call(sandbox.stopSandbox, { query: here })).toEqual({ success: true });
    expect(await statusOf(account, here)).toMatchObject({
      status: 'stopped',
      sessionId: ids[0],
      reason: 'The session was stopped',
    });
    await expect(execute(account, ids[0] ?? '', 'echo')).rejects.toThrow('400');
    expect(await openSandbox(account, here)).not.toBe(ids[0]);
  });

  it('leaves its files to the next session in the same place', async () => {
    const here = place();
    const first = await openSandbox(account, here);
    expect(await execute(account, first, 'mkdir d && echo kept > d/a')).toMatchObject({ code: 0, saved: true });
    await account.client.call(sandbox.stopSandbox, { query: { sessionId: first } });
    const second = await openSandbox(account, here);
    expect((await execute(account, second, 'cat d/a')).stdout).toBe('kept\n');
    expect((await execute(account, await openSandbox(account, place()), 'ls -A')).stdout).toBe('');
  });

  it('belongs to one user, and in a workflow lasts as long as the user may run it', async () => {
    const guest = await invite(account);
    const setRole = (role: 'read' | 'execute') =>
      account.client.call(roles.setUserSpaceRole, {
        params: { spaceId: account.space, id: guest.user },
        body: { role },
      });
    const start = () => openSandbox(guest, { workflowId: workflow });
    await expect(start()).rejects.toEqual(refusal('not_found'));
    await setRole('read');
    await eventually(() => expect(start()).rejects.toEqual(refusal('forbidden')));
    await setRole('execute');
    const session = await eventually(start);
    const own = await openSandbox(account, { workflowId: workflow });
    expect(session).not.toBe(own);
    await execute(account, own, 'echo mine > mine');
    expect((await execute(guest, session, 'ls -A')).stdout).toBe('');
    for (const [who, id] of [
      [guest, own],
      [account, session],
      [await signUp(), own],
    ] as const) {
      expect((await requestExec(who, { sessionId: id, command: 'id' })).status).toBe(404);
      expect((await getFile(who, id, 'mine')).status).toBe(404);
      expect((await putFile(who, id, 'x', 'x')).status).toBe(404);
      expect(await who.client.call(sandbox.stopSandbox, { query: { sessionId: id } })).toEqual({ success: false });
    }
    const events = eventsOf(await requestExec(guest, { sessionId: session, command: 'echo up; sleep 50; touch done' }));
    expect((await events.next()).value).toMatchObject({ event: 'stdout', data: { text: 'up\n' } });
    await setRole('read');
    await expect(events.next()).rejects.toThrow();
    await eventually(async () =>
      expect((await requestExec(guest, { sessionId: session, command: 'id' })).status).toBe(403),
    );
  });

  it('is rejected in another vault and in an invalid place', async () => {
    const vaultId = await vaultOf(account);
    const start = async (body: object) => {
      const { status, body: failure } = await rawRequest(account, 'POST', '/api/sandbox/session', {
        body: JSON.stringify(body),
      });
      return [status, failure['code'], Object.keys(failure['details'] ?? {}).join()];
    };
    const other = await vaultOf(await signUp());
    expect(await start({ vaultId: other, agentSessionId: 'a' })).toEqual([404, 'not_found', '']);
    expect(await start({ vaultId: 'x', agentSessionId: 'a' })).toEqual([404, 'not_found', '']);
    expect(await start({ vaultId })).toEqual([400, 'validation_error', 'body.workflowId']);
    expect(await start({ vaultId, workflowId: workflow, agentSessionId: 'a' })).toEqual([
      ...[400, 'validation_error', 'body.workflowId'],
    ]);
    expect(await start({ vaultId, agentSessionId: '' })).toEqual([400, 'validation_error', 'body.agentSessionId']);
    for (const workflowId of ['x', randomUUID()]) expect((await start({ vaultId, workflowId }))[0]).toBe(404);
    expect((await rawRequest(account, 'GET', `/api/sandbox/status?vaultId=${other}`)).status).toBe(404);
    expect((await rawRequest(account, 'GET', `/api/sandbox/status?vaultId=${vaultId}&workflowId=x`)).body).toEqual({
      ...{ success: true, status: 'none' },
    });
    expect((await rawRequest(account, 'GET', '/api/sandbox/status')).status).toBe(400);
    expect((await rawRequest(account, 'DELETE', '/api/sandbox/session')).status).toBe(400);
    expect((await rawRequest(account, 'DELETE', '/api/sandbox/session?sessionId=x')).body).toEqual({ success: false });
  });
});

describe('a command in a session', () => {
  let session: string;
  beforeAll(async () => {
    session = await openSandbox(account, place());
  });

  it('can be read while it runs, and only one runs at a time', async () => {
    const [abort, seconds] = [new AbortController(), `40.${Date.now()}`];
    const command = `echo one; sleep ${seconds}; echo two`;
    const response = await requestExec(account, { sessionId: session, command }, { signal: abort.signal });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = eventsOf(response);
    expect((await events.next()).value).toEqual({ event: 'stdout', data: { text: 'one\n' } });
    const second = await requestExec(account, { sessionId: session, command: 'echo' });
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await second.json()).toMatchObject({ code: 'rate_limited' });
    expect(findProcesses(seconds)).not.toEqual([]);
    abort.abort();
    // Closing the connection ends the command, so that the next command can run.
    const ended = await eventually(() => execute(account, session, 'echo next'));
    expect(ended).toMatchObject({ code: 0, stdout: 'next\n' });
    expect(findProcesses(seconds)).toEqual([]);
  });

  it('that is requested again with the same Idempotency-Key returns the same output and runs once', async () => {
    const call = () =>
      requestExec(account, { sessionId: session, command: 'echo x >> runs; wc -l < runs' }, { key: session });
    const [first, second] = await Promise.all([call().then(readToEnd), call().then(readToEnd)]);
    for (const ended of [first, second, await readToEnd(await call())]) {
      expect(ended).toMatchObject({ code: 0, stdout: '1\n' });
    }
  });

  it('delivers its complete output to a slow reader', async () => {
    const command = 'seq 1000000; echo done >&2';
    const events = eventsOf(await requestExec(account, { sessionId: session, command }));
    let text = '';
    for await (const { event, data } of events) {
      if (text === '') await sleep(3_000);
      if (event === 'stdout') text += data.text ?? '';
    }
    expect(text.length).toBe(6_888_896);
    expect(text.endsWith('999999\n1000000\n')).toBe(true);
  });

  it('has a time limit that its result reports, and never splits a character', async () => {
    expect(await execute(account, session, 'sleep 60', 1)).toMatchObject({ timed_out: true, signal: 'SIGTERM' });
    const { stdout } = await execute(account, session, 'printf "\\xc3"; sleep 0.3; printf "\\xa4 ok"');
    expect(stdout).toBe('ä ok');
  });

  it('is rejected with the name of the invalid field', async () => {
    const call = async (body: object) => {
      const { status, body: failure } = await rawRequest(account, 'POST', '/api/sandbox/exec', {
        body: JSON.stringify(body),
      });
      return [status, Object.keys(failure['details'] ?? {}).join()];
    };
    const good = { sessionId: session, command: 'id' };
    expect(await call({ ...good, timeout_seconds: 0 })).toEqual([400, 'body.timeout_seconds']);
    expect(await call({ ...good, timeout_seconds: 3_601 })).toEqual([400, 'body.timeout_seconds']);
    expect(await call({ ...good, command: 'a\0b' })).toEqual([400, 'body']);
    expect(await call({ ...good, command: '' })).toEqual([400, 'body.command']);
    expect(await call({ ...good, sessionId: 'x' })).toEqual([404, '']);
    expect(await call({ ...good, more: 1 })).toEqual([400, 'body.more']);
  });
});

describe('files of a session', () => {
  let session: string;
  beforeAll(async () => {
    session = await openSandbox(account, place());
  });

  it('can be uploaded, used by the next command, listed, read and deleted', async () => {
    const put = await putFile(account, session, 'in/data.json', '{"not": parsed}');
    expect([put.status, await put.json()]).toEqual([
      200,
      expect.objectContaining({ path: 'in/data.json', type: 'file', size: 15, executable: false }),
    ]);
    expect((await execute(account, session, 'cat in/data.json; cp in/data.json copy; ln -s copy link')).stdout).toBe(
      '{"not": parsed}',
    );
    const query = { sessionId: session };
    const { results, count } = await account.client.call(sandbox.listSandboxFiles, { query });
    expect(results.map(({ path, type }) => `${path} ${type}`)).toEqual(['copy file', 'in/data.json file', 'link link']);
    expect(count).toBe(3);
    expect(await (await getFile(account, session, 'copy')).text()).toBe('{"not": parsed}');
    expect((await getFile(account, session, 'link')).status).toBe(404);
    const deletion = await account.client.call(sandbox.deleteSandboxFiles, { query: { ...query, path: 'in' } });
    expect(deletion).toEqual({ success: true, deleted: 1 });
    expect((await execute(account, session, 'ls')).stdout).toBe('copy\nlink\n');
  });

  it('are rejected at forbidden paths and beyond 64 MiB', async () => {
    await putFile(account, session, 'file', 'x');
    await putFile(account, session, 'folder/file', 'x');
    for (const path of ['../x', '/x', 'a/../x', 'a//b', './a', 'file/below', 'folder']) {
      const refused = await putFile(account, session, path, 'x');
      expect([path, refused.status]).toEqual([path, 400]);
      expect(await refused.json()).toMatchObject({ details: { 'query.path': expect.any(String) } });
    }
    const large = await putFile(account, session, 'large', Buffer.alloc(64 * MIB + 1));
    expect([large.status, await large.json()]).toEqual([413, expect.objectContaining({ code: 'payload_too_large' })]);
    expect((await putFile(account, session, 'large', Buffer.alloc(64 * MIB))).status).toBe(200);
    expect((await execute(account, session, 'stat -c %s large; rm large')).stdout).toBe(`${64 * MIB}\n`);
    expect((await getFile(account, session, 'large')).status).toBe(404);
    expect((await putFile(account, session, 'empty', '')).status).toBe(200);
  });

  it('that are uploaded during a command are kept beside the files of the command', async () => {
    const events = eventsOf(
      await requestExec(account, { sessionId: session, command: 'echo up; sleep 1; echo mine > mine; mkdir -p x/y' }),
    );
    await events.next();
    expect((await putFile(account, session, 'theirs', 'theirs')).status).toBe(200);
    for await (const { event, data } of events) expect([event, data.saved]).toEqual(['exit', true]);
    expect((await execute(account, session, 'cat mine theirs; ls x')).stdout).toBe('mine\ntheirsy\n');
  });
});

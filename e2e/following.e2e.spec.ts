import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RunEvent } from '@millrace/client';
import { notifications, runs, subjobs } from '@millrace/contracts/resources';
import { eventually } from '@millrace/testkit/eventually';
import { checkedFetch } from './support/checked-fetch.js';
import {
  findNode,
  listChildren,
  runToEnd,
  script,
  startRun,
  waitForStart,
  waitForEnd,
} from './support/run-workflow.js';
import { signUp, type Account } from './support/sign-up.js';

let account: Account;
beforeAll(async () => {
  account = await signUp();
});

const CHAIN = {
  nodes: { 'a-1': script('echo a'), 'b-1': script('cat in/*/*'), 'c-1': script('cat in/*/*') },
  edges: [
    ['a-1/file', 'b-1/file'],
    ['b-1/file', 'c-1/file'],
  ] as [string, string][],
};

describe('the events of a run', () => {
  async function collect(run: string, after = 0): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    for await (const event of account.client.runs.events(run, { after })) events.push(event);
    return events;
  }

  it('report every change in order, and the end', async () => {
    const run = await startRun(account, CHAIN);
    const events = await collect(run.id);
    expect(events.at(-1)).toEqual({ type: 'end', status: 'COMPLETED' });
    const changes = events.filter((event) => event.type === 'change');
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1));
    for (const node of ['a-1', 'b-1', 'c-1']) {
      const seen = changes.filter(({ change }) => change.node === node).map(({ change }) => change.status);
      expect(seen).toEqual(['RUNNING', 'SUCCEEDED']);
    }
    const last = changes.filter(({ change }) => change.subject === 'run').at(-1);
    expect(last?.change.status).toBe('COMPLETED');
  });

  it('can be read again from any event on, as Last-Event-ID specifies', async () => {
    const run = await runToEnd(account, CHAIN);
    const all = await collect(run.id);
    const half = Math.floor(all.length / 2);
    expect(await collect(run.id, half)).toEqual(all.slice(half));
    const response = await checkedFetch(`${account.url}/api/runs/${run.id}/events`, {
      headers: { authorization: `Bearer ${account.access}`, 'last-event-id': String(half) },
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toMatch(new RegExp(`^id: ${half + 1}\nevent: change\ndata: \\{`));
  });
});

describe('the log of a subjob', () => {
  const SLOW = {
    nodes: { 'slow-1': script('for i in 1 2 3 4; do echo "out $i"; echo "err $i" >&2; sleep 1; done') },
  };

  it('can be followed while it is written', async () => {
    const run = await startRun(account, SLOW);
    const id = await waitForStart(account.client, run.id, 'slow-1');
    const statuses: string[] = [];
    let text = '';
    for await (const chunk of account.client.subjobs.logs(run.id, id)) {
      const { status } = await account.client.call(subjobs.getSubjob, { params: { id: run.id, subjobId: id } });
      statuses.push(status);
      text += Buffer.from(chunk).toString();
    }
    expect(text).toBe('out 1\nout 2\nout 3\nout 4\n');
    expect(statuses[0]).toBe('RUNNING');
    expect((await waitForEnd(account.client, run.id)).status).toBe('COMPLETED');
  });

  it('is stored with both streams separate', async () => {
    const run = await runToEnd(account, { nodes: { 'only-1': script('echo out; echo err >&2; printf "\\377\\0"') } });
    const { id } = await findNode(account.client, run.id, 'only-1');
    const read = async (stream: 'stdout' | 'stderr') => {
      const parts: Uint8Array[] = [];
      for await (const part of account.client.subjobs.logs(run.id, id, { stream, follow: false })) parts.push(part);
      return Buffer.concat(parts);
    };
    expect((await read('stdout')).equals(Buffer.from('out\n\xff\0', 'latin1'))).toBe(true);
    expect((await read('stderr')).toString()).toBe('err\n');
  });
});

it('each attempt of a retried node keeps its log and its reason', async () => {
  const source = 'echo "out of $(date +%s%N)"; echo "no such host" >&2; exit 4';
  const run = await runToEnd(account, { nodes: { 'try-1': script(source, { retries: 1 }) } });
  expect(run.error).toBe('try-1: exit code 4: no such host');
  const { id } = await findNode(account.client, run.id, 'try-1');
  const record = await account.client.call(subjobs.getSubjob, { params: { id: run.id, subjobId: id } });
  expect(record).toMatchObject({ attempt: 2, max_attempts: 2, message: 'exit code 4: no such host' });
  expect(record.attempts).toMatchObject([
    { attempt: 1, status: 'FAILED', exit_code: 4, message: 'exit code 4: no such host' },
    { attempt: 2, status: 'FAILED', exit_code: 4 },
  ]);
  const logOf = async (attempt: number) => {
    let text = '';
    for await (const part of account.client.subjobs.logs(run.id, id, { attempt, tail: 1 }))
      text += Buffer.from(part).toString();
    return text;
  };
  const logs = [await logOf(1), await logOf(2)];
  for (const log of logs) expect(log).toMatch(/^out of \d+\n$/);
  expect(logs[0]).not.toBe(logs[1]);
  await expect(logOf(3)).rejects.toMatchObject({ code: 'not_found' });
});

it('lines of a log have the times at which they were written, while the step runs and afterwards', async () => {
  const run = await startRun(account, { nodes: { 'only-1': script('echo one; sleep 1; echo two; sleep 0.6') } });
  await waitForStart(account.client, run.id, 'only-1');
  const { id } = await findNode(account.client, run.id, 'only-1');
  const readTimes = () => account.client.subjobs.logTimes(run.id, id, {});
  const running = await eventually(async () => {
    const times = await readTimes();
    expect(times.samples.at(-1)?.offset).toBe(8);
    return times;
  });
  expect(running).toMatchObject({ state: 'running', attempt: 1, started_at: expect.any(String) });
  await waitForEnd(account.client, run.id);
  const stored = await readTimes();
  expect(stored).toEqual({ ...running, state: 'stored', size: 8 });
  const [one, two] = stored.samples;
  expect(one).toMatchObject({ offset: 4 });
  expect((two?.elapsed_ms ?? 0) - (one?.elapsed_ms ?? 0)).toBeGreaterThan(500);
  expect((await account.client.subjobs.logTimes(run.id, id, { stream: 'stderr' })).samples).toEqual([]);
});

describe('a stop request', () => {
  it('for a run ends its processes and the subjobs that have not started', async () => {
    const run = await startRun(account, {
      nodes: { 'sleep-1': script('trap "" TERM; sleep 300 & sleep 300'), 'after-1': script('echo') },
      edges: [['sleep-1/file', 'after-1/file']],
    });
    await waitForStart(account.client, run.id, 'sleep-1');
    const stopped = await account.client.call(runs.stopRun, { params: { id: run.id } });
    expect(['STOPPING', 'STOPPED']).toContain(stopped.status);
    expect((await waitForEnd(account.client, run.id)).status).toBe('STOPPED');
    expect((await findNode(account.client, run.id, 'sleep-1')).status).toBe('STOPPED');
    expect(['STOPPED', 'SKIPPED']).toContain((await findNode(account.client, run.id, 'after-1')).status);
    const again = await account.client.call(runs.stopRun, { params: { id: run.id } });
    expect(again.status).toBe('STOPPED');
  });

  it('for one child of a task group does not affect the other children', async () => {
    const run = await startRun(account, {
      nodes: {
        'source-1': script('echo 1; echo 300'),
        'sleep-1': script('sleep "$1"', {
          inputs: { seconds: { type: 'STRING', order: 1 } },
          distribution: { input: 'seconds', mode: 'line' },
        }),
      },
      edges: [['source-1/file', 'sleep-1/seconds']],
    });
    await waitForStart(account.client, run.id, 'sleep-1');
    const group = await findNode(account.client, run.id, 'sleep-1');
    const child = (await listChildren(account.client, run.id, group.id))[1];
    await account.client.call(subjobs.stopSubjob, { params: { id: run.id, subjobId: child?.id ?? '' } });
    await waitForEnd(account.client, run.id);
    const statuses = (await listChildren(account.client, run.id, group.id)).map(({ status }) => status);
    expect(statuses).toEqual(['SUCCEEDED', 'STOPPED']);
  });
});

it('the end of a run notifies its author once, and no other user', async () => {
  const other = await signUp();
  const run = await runToEnd(account, { nodes: { 'only-1': script('echo') } });
  const notificationsOf = async ({ client }: Account) => {
    const { results } = await client.call(notifications.listNotifications);
    return results.filter(({ metadata }) => JSON.stringify(metadata).includes(`"${run.id}"`));
  };
  await eventually(async () => expect(await notificationsOf(account)).not.toEqual([]));
  await sleep(500);
  expect(await notificationsOf(account)).toMatchObject([{ notification_type: 'MANUAL_RUN_COMPLETED', seen: false }]);
  expect(await notificationsOf(other)).toEqual([]);
});

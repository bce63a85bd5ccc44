import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Caller } from '@millrace/contracts/kit/envelope';
import {
  deleteSandboxFiles,
  listSandboxFiles,
  SANDBOX_SESSION_LIMITS,
  stopSandbox,
} from '@millrace/contracts/runs/sandbox';
import { admitSandbox, assignExec, claimExec, type WorkspaceEntry } from '@millrace/contracts/runs/sandbox-hosts';
import { newId } from '@millrace/persistence/ids';
import { memberCaller, ownerCaller } from '@millrace/testkit/callers';
import type { SystemWithStore } from '@millrace/testkit/start-with-store';
import { aFile, startSandboxes, WORKERS, type FakeSandboxes } from '../testing/start-sandboxes.js';

let system: SystemWithStore;
let sandboxes: FakeSandboxes;
let caller: Caller;
beforeAll(async () => {
  ({ system, sandboxes } = await startSandboxes());
});
beforeEach(async () => {
  caller = ownerCaller();
  await sendHeartbeats();
});
afterAll(() => system.close());

/** Workers are lost after eight seconds without a heartbeat, and large messages may take that long here. */
async function sendHeartbeats(): Promise<void> {
  for (const worker of WORKERS) await sandboxes.sendHeartbeat(worker);
}

const exec = (session: string, who = caller) => sandboxes.exec(who, session);
const put = (session: string, path: string, size?: number) => sandboxes.put(caller, session, path, size);
const pathsOf = (session: string) => sandboxes.pathsOf(caller, session);

it('files are listed in pages and in the requested order, and can be found by a part of their path', async () => {
  const session = await sandboxes.open(caller);
  for (const [path, size] of [
    ['b', 3],
    ['a', 2],
    ['c/d', 1],
  ] as const)
    await put(session, path, size);
  const list = async (query: {
    ordering?: string;
    page?: number;
    page_size?: number;
    search?: string;
    path?: string;
  }) => {
    const { results, count } = await system.callAs(caller, listSandboxFiles, {
      query: { sessionId: session, ...query },
    });
    return [results.map(({ path }) => path).join(' '), count];
  };
  expect(await list({})).toEqual(['a b c/d', 3]);
  expect(await list({ ordering: '-size' })).toEqual(['b a c/d', 3]);
  expect(await list({ ordering: '-modifiedAt', page_size: 1, page: 2 })).toEqual(['a', 3]);
  expect(await list({ path: 'c' })).toEqual(['c/d', 1]);
  for (const pattern of ['_', '%', String.raw`\c`]) expect(await list({ path: pattern })).toEqual(['', 0]);
  expect(await list({ search: 'D' })).toEqual(['c/d', 1]);
});

it('a workspace can be emptied completely, and reduced even while it exceeds a limit', async () => {
  const session = await sandboxes.open(caller);
  for (const path of ['a', 'b', 'd/c']) await put(session, path);
  const exceedLimit = `UPDATE runs.sandbox_entry SET target = repeat('t', 9 * 1024 * 1024) WHERE path = 'b'
    AND workspace_id = (SELECT workspace_id FROM runs.sandbox_session WHERE id = $1)`;
  await system.database.query(exceedLimit, [session]);
  const remove = (query: { path?: string }) =>
    system.callAs(caller, deleteSandboxFiles, { query: { sessionId: session, ...query } });
  expect(await remove({ path: 'a' })).toEqual({ success: true, deleted: 1 });
  expect(await remove({ path: '' })).toEqual({ success: true, deleted: 2 });
  expect(await pathsOf(session)).toEqual([]);
  expect(await remove({})).toEqual({ success: true, deleted: 0 });
});

it('the bytes that a user stores count for a day, even if they are refused, and the daily limit stops further ones', async () => {
  const session = await sandboxes.open(caller);
  const other = memberCaller(caller, {});
  const size = 64 * 1024 * 1024;
  const files = Array.from({ length: 17 }, (_, index) => aFile(`${index}`, size));
  const mayStore = async (who: Caller, at: string) => {
    const order = await exec(at, who);
    const { worker } = await sandboxes.gateway.call(assignExec, { ...order, unlike: [] });
    const command = { ...order, worker: worker ?? '' };
    const claimed = await sandboxes.worker.call(claimExec, { ...command, revision: null });
    return { command, used: SANDBOX_SESSION_LIMITS.dayBytes - claimed.mayStore };
  };
  const first = await mayStore(caller, session);
  expect(first.used).toBe(0);
  for (let again = 0; again < 2; again += 1) await sandboxes.finishCommand(first.command, files.slice(2));
  await put(session, 'a', size);
  await expect(put(session, 'a/b', size)).rejects.toMatchObject({ code: 'validation_error' });
  const second = await mayStore(caller, session);
  expect(second.used).toBe(17 * size);
  expect(await sandboxes.finishCommand(second.command, files)).toMatchObject({ saved: false });
  const third = await mayStore(caller, session);
  expect(third.used).toBe(34 * size);
  await system.database.query('UPDATE runs.sandbox_intake SET bytes = $2 WHERE user_id = $1', [
    ...[caller.user, SANDBOX_SESSION_LIMITS.dayBytes],
  ]);
  await sandboxes.finishCommand(third.command, []);
  const admit = (storing: boolean) => sandboxes.gateway.call(admitSandbox, { session, storing }, caller);
  await expect(admit(true)).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(admit(false)).resolves.toBeNull();
  expect((await mayStore(other, await sandboxes.open(other))).used).toBe(0);
  await system.database.query('UPDATE runs.sandbox_intake SET day = day - 1 WHERE user_id = $1', [caller.user]);
  expect((await mayStore(caller, session)).used).toBe(0);
});

describe('the changes of a command', () => {
  it('are applied once, even if the worker reports them twice', async () => {
    const session = await sandboxes.open(caller);
    const command = await sandboxes.startCommand(caller, session);
    const results = await Promise.all(Array.from({ length: 4 }, () => sandboxes.finishCommand(command, [aFile('a')])));
    for (const result of results) expect(result.saved).toBe(true);
    await put(session, 'b');
    expect(await sandboxes.finishCommand(command, [], ['b'])).toMatchObject({ saved: true });
    expect(await pathsOf(session)).toEqual(['a', 'b']);
  });

  it('are stored completely or not at all, and the session continues either way', async () => {
    const session = await sandboxes.open(caller);
    await put(session, 'before');
    const command = await sandboxes.startCommand(caller, session);
    const many = Array.from({ length: 10_000 }, (_, index) => aFile(`f/${index}`));
    expect(await sandboxes.finishCommand(command, many)).toMatchObject({
      saved: false,
      problem: expect.stringContaining('10000'),
    });
    expect(await pathsOf(session)).toEqual(['before']);
    await sendHeartbeats();
    const next = await sandboxes.startCommand(caller, session);
    const large = Array.from({ length: 17 }, (_, index) => aFile(`l/${index}`, 64 * 1024 * 1024));
    expect(await sandboxes.finishCommand(next, large)).toMatchObject({
      saved: false,
      problem: expect.stringContaining('1 GiB'),
    });
    await sendHeartbeats();
    const last = await sandboxes.startCommand(caller, session);
    expect(await sandboxes.finishCommand(last, many.slice(1), ['before'])).toMatchObject({ saved: true });
  });

  it('are limited by the size of their paths and link targets in a message', async () => {
    const session = await sandboxes.open(caller);
    const link = (index: number): WorkspaceEntry => ({
      ...aFile(`${index}`, 0),
      ...{ kind: 'link', sha256: null, target: 't'.repeat(4096) },
    });
    const links = Array.from({ length: 2_200 }, (_, index) => link(index));
    const command = await sandboxes.startCommand(caller, session);
    const problem = expect.stringContaining('8 MiB');
    expect(await sandboxes.finishCommand(command, links)).toMatchObject({ saved: false, problem });
    const escaped = Array.from({ length: 2_200 }, (_, index) => aFile(`${'\u0001'.repeat(1_000)}${index}`));
    await sendHeartbeats();
    expect(await sandboxes.finishCommand(await sandboxes.startCommand(caller, session), escaped)).toMatchObject({
      saved: false,
      problem,
    });
    await sendHeartbeats();
    expect(
      await sandboxes.finishCommand(await sandboxes.startCommand(caller, session), links.slice(200)),
    ).toMatchObject({ saved: true });
  });

  it('are refused if the worker reports invalid paths', async () => {
    const session = await sandboxes.open(caller);
    const command = await sandboxes.startCommand(caller, session);
    const wrong = [{ ...aFile('a'), sha256: 'x' }, { ...aFile('a'), size: -1 }, aFile('\0'), aFile('')];
    for (const entry of wrong) {
      await expect(sandboxes.finishCommand(command, [entry])).rejects.toMatchObject({ code: 'validation_error' });
    }
    await expect(sandboxes.finishCommand({ ...command, worker: 'w-other' }, [aFile('a')])).resolves.toMatchObject({
      saved: false,
    });
  });
});

it('a workspace reflects all writes and deletions, and never has a file at the path of a folder', async () => {
  // Some of these are wildcards in a LIKE pattern.
  const part = fc.constantFrom('a', '_', '%', String.raw`\_`);
  const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  const step = fc.record({ kind: fc.constantFrom('put', 'delete', 'command'), path, other: path });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await sendHeartbeats();
      const session = await sandboxes.open(caller, newId());
      const model = new Set<string>();
      const clashes = (one: string) => [...model].some((p) => p.startsWith(`${one}/`) || one.startsWith(`${p}/`));
      const displace = (one: string) => {
        for (const p of model) if (p.startsWith(`${one}/`) || one.startsWith(`${p}/`)) model.delete(p);
      };
      for (const { kind, path, other } of steps) {
        if (kind === 'put') {
          const isConflict = clashes(path);
          const result = await put(session, path).catch(({ code }: { code: string }) => code);
          expect(result === 'validation_error').toBe(isConflict);
          if (!isConflict) model.add(path);
        } else if (kind === 'delete') {
          const deleted = [...model].filter((p) => p === path || p.startsWith(`${path}/`));
          const query = { sessionId: session, path };
          const result = await system.callAs(caller, deleteSandboxFiles, { query }).catch(() => ({ deleted: 0 }));
          expect(result.deleted).toBe(deleted.length);
          for (const p of deleted) model.delete(p);
        } else {
          // A user writes a file while the command runs. If both cannot exist, the change of the command wins.
          const command = await sandboxes.startCommand(caller, session);
          if (await put(session, other).then(...toBoolean)) model.add(other);
          await sandboxes.finishCommand(command, [aFile(path)]);
          displace(path);
          model.add(path);
        }
      }
      expect(await pathsOf(session)).toEqual([...model].sort());
      await system.callAs(caller, stopSandbox, { query: { sessionId: session } });
    }),
    { numRuns: 25 },
  );
});

const toBoolean = [() => true, () => false] as const;

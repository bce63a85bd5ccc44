import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Request } from '@millrace/contracts/kit/operation';
import { listTicks, setSchedule } from '@millrace/contracts/workflows/schedules';
import { createSecretVariable } from '@millrace/contracts/workflows/secrets';
import { getWorkflow } from '@millrace/contracts/workflows/workflows';
import { newId } from '@millrace/persistence/ids';
import { ownerCaller } from '@millrace/testkit/callers';
import { eventually } from '@millrace/testkit/eventually';
import { fakeRuns, type FakeRuns } from '@millrace/testkit/fake-runs';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../../start.js';
import { seedAs, chainOf, edge } from '../../testing/seed.js';

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

const LIST = 'http-input-1';
/** A workflow that needs a file, and also has a flag and a text. */
const NEEDS_FILE = {
  ...chainOf(1),
  primitiveNodes: {
    [LIST]: { type: 'FILE', label: 'hosts' },
    'boolean-input-1': { type: 'BOOLEAN', label: 'deep' },
    'string-input-1': { type: 'STRING', label: 'note', value: 'none' },
  },
  connections: [edge(`${LIST}/output`, 'step-1/file')],
};
const hosts = 'millrace://file/hosts.txt';
/** The same with an input whose default is a secret variable. */
const USES_SECRET = {
  nodes: { 'step-1': { ...NEEDS_FILE.nodes['step-1'], inputs: { x: { type: 'STRING', order: 1 } } } },
  primitiveNodes: {
    ...NEEDS_FILE.primitiveNodes,
    pass: { type: 'STRING', label: 'pass', value: '${{vars.PASS}}' },
  },
  connections: [...NEEDS_FILE.connections, edge('pass/output', 'step-1/x')],
};

async function seeded(data: object = NEEDS_FILE) {
  const caller = ownerCaller();
  runs.callers.set(caller.user, caller);
  const seed = seedAs(system.callAs, caller);
  const { id } = await seed.saved(data);
  const params = { id };
  const set = (body: Partial<Request<typeof setSchedule>['body']> = {}) =>
    system.callAs(caller, setSchedule, { params, body: { cron: '0 * * * *', ...body } });
  const read = async () => (await system.callAs(caller, getWorkflow, { params })).schedule_info;
  /** Makes a tick due `seconds` ago and waits until `count` ticks are settled. */
  const tick = async (seconds: number, count: number) => {
    await system.database.query(
      `UPDATE workflows.schedule SET next_at = date_trunc('second', now()) - $2 * interval '1 s' WHERE workflow_id = $1`,
      [id, seconds],
    );
    await system.database.query("SELECT pg_notify('schedule_changed', '')");
    await eventually(async () => {
      const { results } = await system.callAs(caller, listTicks, { params });
      expect(results.filter(({ status }) => status !== 'pending')).toHaveLength(count);
    });
  };
  const published = () =>
    system.database.query<{ payload: object }>(
      `SELECT payload FROM messaging.outbox WHERE name = 'workflows.schedule.refused' AND payload->>'workflow' = $1`,
      [id],
    );
  return { caller, id, seed, params, set, read, tick, published };
}

describe('a schedule that could start no run', () => {
  const refused = (details: object) => ({ code: 'validation_error', details: expect.objectContaining(details) });

  it('is refused for a required input without a value, with a list of the inputs', async () => {
    const { set, read } = await seeded();
    await expect(set()).rejects.toMatchObject(
      refused({
        'body.inputs.hosts': expect.stringContaining('needs a value'),
        accepted: [
          { id: 'boolean-input-1', label: 'deep', type: 'BOOLEAN', required: false },
          { id: LIST, label: 'hosts', type: 'FILE', required: true },
          { id: 'string-input-1', label: 'note', type: 'STRING', required: false },
        ],
      }),
    );
    expect(await read()).toBeNull();
  });

  it('is refused for a misspelt or wrong input, with the accepted values', async () => {
    const { set } = await seeded();
    await expect(set({ inputs: { host: hosts } })).rejects.toMatchObject(
      refused({ 'body.inputs.host': expect.stringContaining('Did you mean "hosts"?') }),
    );
    await expect(set({ inputs: { hosts, deep: 'perhaps' } })).rejects.toMatchObject(
      refused({ 'body.inputs.deep': expect.stringContaining('true or false') }),
    );
  });

  it('is refused if the workflow has no version, or one that cannot run', async () => {
    const { caller, seed } = await seeded();
    const put = (id: string) => system.callAs(caller, setSchedule, { params: { id }, body: { cron: '0 * * * *' } });
    await expect(put((await seed.workflow()).id)).rejects.toMatchObject(refused({ workflow: 'has no version yet' }));
    const draft = await seed.saved({ nodes: { 'a-1': { type: 'TOOL', inputs: {} } } });
    await expect(put(draft.id)).rejects.toMatchObject({
      message: 'The latest version of the workflow cannot run. Fix its errors and save a new version.',
    });
  });

  it('is refused while the workflow uses a secret variable that is not defined', async () => {
    const { caller, set } = await seeded(USES_SECRET);
    await expect(set({ inputs: { hosts } })).rejects.toMatchObject(
      refused({ 'pass.PASS': expect.stringContaining('which is not defined') }),
    );
    // The default is not used if the schedule sets a value.
    await set({ inputs: { hosts, pass: 'none' } });
    const body = { name: 'PASS', value: 'schedule-hunter33', scope_type: 'vault' as const };
    await system.callAs(caller, createSecretVariable, { body });
    await set({ inputs: { hosts } });
  });

  it('is refused for an output that its author may not read', async () => {
    const { set } = await seeded();
    const id = newId();
    const url = `millrace://output/${id}`;
    await expect(set({ inputs: { hosts: url } })).rejects.toMatchObject(
      refused({ 'body.inputs.hosts': expect.stringContaining('may not read') }),
    );
    runs.outputs.add(id);
    await set({ inputs: { hosts: url } });
  });

  it('can be set while it is disabled', async () => {
    const { set } = await seeded();
    expect(await set({ enabled: false })).toMatchObject({ enabled: false });
  });
});

describe('the inputs of a schedule', () => {
  it('are shown with secrets masked, and passed to its runs unmodified', async () => {
    const { caller, id, set, read, tick } = await seeded(USES_SECRET);
    const body = { name: 'PASS', value: 'schedule-hunter22', scope_type: 'vault' as const };
    await system.callAs(caller, createSecretVariable, { body });
    const inputs = { hosts, note: 'use schedule-hunter22 here', deep: true };
    const shown = { inputs: { ...inputs, note: 'use *** here' }, masked: ['note'] };
    expect(await set({ inputs })).toMatchObject(shown);
    expect(await read()).toMatchObject(shown);
    await tick(1, 1);
    expect(runs.runsOf(id)).toMatchObject([{ inputs, creationType: 'SCHEDULED' }]);
    const rows = await system.database.query<{ inputs: unknown }>('SELECT inputs FROM workflows.schedule_tick');
    for (const row of rows) expect(row.inputs).toBeNull();
    // The masked text is not the value.
    await expect(set({ inputs: shown.inputs })).rejects.toMatchObject({
      code: 'validation_error',
      details: { 'body.inputs.note': expect.stringContaining('send the full value') },
    });
  });

  it('are shown unmodified if the workflow does not use the secret', async () => {
    const { caller, set } = await seeded();
    const body = { name: 'PASS', value: 'schedule-hunter22', scope_type: 'vault' as const };
    await system.callAs(caller, createSecretVariable, { body });
    const inputs = { hosts, note: 'schedule-hunter22' };
    expect(await set({ inputs })).toMatchObject({ inputs });
  });
});

describe('a schedule whose runs can no longer be started', () => {
  it('publishes the first refusal until a run starts, and shows the last one', async () => {
    const { caller, id, set, read, tick, published } = await seeded();
    await set({ inputs: { hosts } });
    runs.onLaunch = () => {
      throw new ValidationError({ 'inputs.hosts': 'File not found' }, 'The inputs do not match the workflow.');
    };
    await tick(5, 1);
    await tick(4, 2);
    const reason = 'The inputs do not match the workflow: inputs.hosts File not found';
    expect(await read()).toMatchObject({ last_refusal: { date: expect.any(String), reason } });
    const facts = { vault: caller.vault, workflow: id, workflowName: 'Workflow', author: caller.user, reason };
    expect(await published()).toEqual([{ payload: expect.objectContaining(facts) }]);

    runs.onLaunch = () => undefined;
    await tick(3, 3);
    expect(await read()).not.toHaveProperty('last_refusal');
    await runs.finish(runs.runsOf(id)[0]?.run ?? '');
    runs.onLaunch = () => {
      throw new ValidationError({}, 'Again');
    };
    await tick(2, 4);
    expect(await published()).toHaveLength(2);
    runs.onLaunch = () => undefined;
    expect(await set({ inputs: { hosts } })).not.toHaveProperty('last_refusal');
  });
});

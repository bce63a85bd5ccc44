import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { deleteSpace, listSpaces } from '@millrace/contracts/workflows/spaces';
import { prepareVault } from '@millrace/contracts/workflows/vaults';
import { getVersion } from '@millrace/contracts/workflows/versions';
import { listWorkflows, validateWorkflow } from '@millrace/contracts/workflows/workflows';
import { ownerCaller } from '@millrace/testkit/callers';
import type { EventSource } from '@millrace/testkit/event-source';
import { eventually } from '@millrace/testkit/eventually';
import type { FakeService } from '@millrace/testkit/fake-service';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { start } from '../start.js';
import { SAMPLE_WORKFLOW } from './sample-workflow.js';

let system: System;
let auth: EventSource;
let service: FakeService;
beforeAll(async () => {
  system = await startApps([start]);
  auth = await system.sourceOf('auth');
  service = await system.fake('auth');
});
afterAll(() => system.close());

const about = ({ vault, user }: Caller) => ({ vault, owner: user, name: 'Vault' });
const prepare = (caller: Caller) => service.call(prepareVault, about(caller));
const spaces = (caller: Caller) => system.callAs(caller, listSpaces);

describe('a new vault', () => {
  it('has a playground with a sample workflow that is valid', async () => {
    const caller = ownerCaller();
    expect(await prepare(caller)).toEqual({});
    expect(await spaces(caller)).toMatchObject({
      count: 1,
      results: [{ name: 'Playground', playground: true, author: caller.user, workflows_count: 1 }],
    });
    const { results } = await system.callAs(caller, listWorkflows);
    const id = results[0]?.id ?? '';
    expect(results).toMatchObject([{ name: SAMPLE_WORKFLOW.name, space_name: 'Playground', author: caller.user }]);
    const version = await system.callAs(caller, getVersion, { params: { id, versionId: 'latest' } });
    expect(version).toMatchObject({ number: 1, data: SAMPLE_WORKFLOW.data });
    expect(await system.callAs(caller, validateWorkflow, { params: { id } })).toEqual({ errors: [], warnings: [] });
  });

  it('gets the playground from its event, too', async () => {
    const caller = ownerCaller();
    await auth.emit(vaultCreated, about(caller));
    await eventually(async () => expect(await spaces(caller)).toMatchObject({ count: 1 }));
  });

  it('gets the playground once, even with repeated and concurrent requests', async () => {
    const caller = ownerCaller();
    const requests = [1, 2, 3].map(() => prepare(caller));
    await Promise.all([...requests, auth.emit(vaultCreated, about(caller)), auth.emit(vaultCreated, about(caller))]);
    await eventually(async () => {
      const handled = await system.database.query(
        "SELECT 1 FROM messaging.inbox i JOIN messaging.outbox o ON o.id = i.event WHERE o.payload->>'vault' = $1",
        [caller.vault],
      );
      expect(handled).toHaveLength(2);
    });
    expect(await spaces(caller)).toMatchObject({ count: 1, results: [{ workflows_count: 1 }] });
  });

  it('does not get the playground again after it was deleted', async () => {
    const caller = ownerCaller();
    await prepare(caller);
    const { results } = await spaces(caller);
    await system.callAs(caller, deleteSpace, { params: { id: results[0]?.id ?? '' } });
    await prepare(caller);
    expect((await spaces(caller)).count).toBe(0);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAuditLog } from '@millrace/contracts/auth/audit-log';
import { removeMember } from '@millrace/contracts/auth/members';
import { setUserVaultRole } from '@millrace/contracts/auth/roles';
import { addTeamMember, createTeam, deleteTeam } from '@millrace/contracts/auth/teams';
import { regenerateToken } from '@millrace/contracts/auth/users';
import { webhookChanged } from '@millrace/contracts/notifications/webhooks';
import { approvalDecided } from '@millrace/contracts/runs/approvals';
import { cacheCleared } from '@millrace/contracts/runs/cached-results';
import { spaceCreated, spaceDeleted } from '@millrace/contracts/workflows/spaces';
import { TRIGGER_ACTIONS, triggerChanged } from '@millrace/contracts/workflows/triggers';
import { newId } from '@millrace/persistence/ids';
import { eventually } from '@millrace/testkit/eventually';
import type { Mailbox } from '@millrace/testkit/mailbox';
import { signUp } from '@millrace/testkit/sign-up';
import { startApps, type System } from '@millrace/testkit/start-apps';
import { vaultOfPeople } from '@millrace/testkit/vault-of-people';
import { start } from '../start.js';

let system: System;
let mailbox: Mailbox;
beforeAll(async () => {
  system = await startApps([start]);
  mailbox = system.openMailbox();
});
afterAll(() => system.close());

describe('the audit log', () => {
  it('lists actor, action and target, newest first, and keeps the names of deleted records', async () => {
    const { owner, join } = await vaultOfPeople(system, mailbox);
    const guest = await join();
    const params = { id: guest.id };
    await system.callAs(
      owner.caller,
      setUserVaultRole,
      { params, body: { role: 'space_admin' } },
      { address: '192.0.2.7' },
    );
    await system.callAs(owner.caller, removeMember, { params });
    const { results } = await system.callAs(owner.caller, listAuditLog, { query: { actor: owner.id, page_size: 2 } });
    const actor = { id: owner.id, email: owner.email };
    expect(results).toMatchObject([
      { action: 'user.removed', actor, target_type: 'user', target_id: guest.id, target_name: guest.email },
      {
        action: 'vault_role.assigned',
        actor,
        details: { role: 'space_admin', before: 'member' },
        address: '192.0.2.7',
      },
    ]);
    const joined = await system.callAs(owner.caller, listAuditLog, { query: { action: 'user.joined' } });
    expect(joined.results).toMatchObject([{ actor: { id: guest.id, email: guest.email } }]);
  });

  it('is filtered by time and action, and contains no secret', async () => {
    const { caller } = await signUp(system);
    const { token } = await system.callAs(caller, regenerateToken);
    const { id } = await system.callAs(caller, createTeam, { body: { name: 'Short-lived' } });
    await system.callAs(caller, addTeamMember, { params: { id, userId: caller.user } });
    await system.callAs(caller, deleteTeam, { params: { id } });
    const all = await system.callAs(caller, listAuditLog);
    expect(all.results.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['team.deleted', 'team.member_added', 'team.created', 'api_token.regenerated']),
    );
    expect(JSON.stringify(all)).not.toContain(token);
    const from = all.results.find(({ action }) => action === 'team.deleted')?.created_date;
    const late = await system.callAs(caller, listAuditLog, { query: { ...(from && { from }) } });
    expect(late.results[0]).toMatchObject({ action: 'team.deleted', target_name: 'Short-lived' });
    expect((await system.callAs(caller, listAuditLog, { query: { to: '0001-01-01T00:00:00.000Z' } })).count).toBe(0);
    expect(() => listAuditLog.query.parse({ to: '0000-01-01T00:00:00Z' })).toThrow('year 1');
  });

  it('lists the changed fields of a webhook if the event contains them', async () => {
    const { caller } = await signUp(system);
    const notifications = await system.sourceOf('notifications');
    const facts = { vault: caller.vault, user: caller.user, webhook: newId(), name: 'CI' };
    await notifications.emit(webhookChanged, { ...facts, change: 'created' });
    await notifications.emit(webhookChanged, { ...facts, change: 'changed', fields: ['url', 'events'] });
    await eventually(async () => {
      const { results } = await system.callAs(caller, listAuditLog, { query: { search: 'CI' } });
      const entries = results.map(({ action, details }) => ({ action, details }));
      expect(entries).toHaveLength(2);
      expect(entries).toContainEqual({ action: 'webhook.created', details: {} });
      expect(entries).toContainEqual({ action: 'webhook.changed', details: { fields: ['url', 'events'] } });
    });
  });

  it('lists who changed the hook or schedule of a workflow, with the changed settings', async () => {
    const { caller, email } = await signUp(system);
    const workflows = await system.sourceOf('workflows');
    const facts = { vault: caller.vault, user: caller.user, workflow: newId(), name: 'Nightly', address: '192.0.2.7' };
    for (const action of TRIGGER_ACTIONS) {
      await workflows.emit(triggerChanged, {
        ...facts,
        action,
        ...(action === 'hook.changed' && { fields: ['signature'] }),
      });
    }
    await eventually(async () => {
      const { results } = await system.callAs(caller, listAuditLog, { query: { search: 'Nightly' } });
      expect(results.map(({ action }) => action).sort()).toEqual([...TRIGGER_ACTIONS].sort());
      expect(results.find(({ action }) => action === 'hook.changed')).toMatchObject({
        ...{ actor: { id: caller.user, email }, address: '192.0.2.7', details: { fields: ['signature'] } },
        ...{ target_type: 'workflow', target_id: facts.workflow, target_name: 'Nightly' },
      });
    });
  });

  it('lists who decided about an approval, and one that expired without a person, with its default decision', async () => {
    const { caller, email } = await signUp(system);
    const runs = await system.sourceOf('runs');
    const facts = {
      ...{
        vault: caller.vault,
        space: newId(),
        workflow: newId(),
        workflowName: 'Release',
        run: '7',
        name: 'Release 7',
      },
      ...{ node: 'ok-1', label: 'ok', subjob: '12', decidedAt: new Date().toISOString() },
    };
    await runs.emit(approvalDecided, { ...facts, decision: 'approved', user: caller.user, comment: 'green' });
    await runs.emit(approvalDecided, { ...facts, decision: 'approved' });
    const list = () => system.callAs(caller, listAuditLog, { query: { search: 'Release 7' } });
    await eventually(async () => expect((await list()).results).toHaveLength(2));
    const { results } = await list();
    const expired = results.find(({ action }) => action === 'approval.expired');
    expect(expired).toMatchObject({
      ...{ target_type: 'run', target_id: '7' },
      details: { node: 'ok-1', subjob: '12', decision: 'approved' },
    });
    expect(expired).not.toHaveProperty('actor');
    expect(results.find(({ action }) => action === 'approval.approved')).toMatchObject({
      ...{ actor: { id: caller.user, email }, details: { node: 'ok-1', subjob: '12', comment: 'green' } },
    });
  });

  it('lists who removed the cached results of which node or space', async () => {
    const { caller, email } = await signUp(system);
    const runs = await system.sourceOf('runs');
    const facts = { vault: caller.vault, user: caller.user, space: newId(), at: new Date().toISOString() };
    const workflow = newId();
    await runs.emit(cacheCleared, { ...facts, workflow, name: 'Nightly', node: 'scan-1', address: '192.0.2.7' });
    await runs.emit(cacheCleared, { ...facts, name: 'Recon' });
    const listCleared = () => system.callAs(caller, listAuditLog, { query: { action: 'cache.cleared' } });
    await eventually(async () => expect((await listCleared()).results).toHaveLength(2));
    const { results } = await listCleared();
    expect(results.find(({ target_type: type }) => type === 'workflow')).toMatchObject({
      ...{ actor: { id: caller.user, email }, address: '192.0.2.7', details: { node: 'scan-1' } },
      ...{ target_id: workflow, target_name: 'Nightly' },
    });
    expect(results.find(({ target_type: type }) => type === 'space')).toMatchObject({
      ...{ target_id: facts.space, target_name: 'Recon', details: {} },
    });
  });

  it('cannot be altered, even in the database', async () => {
    const { caller } = await signUp(system);
    await system.callAs(caller, createTeam, { body: { name: 'Noted' } });
    for (const sql of [
      "UPDATE auth.audit_entry SET action = 'x'",
      'DELETE FROM auth.audit_entry',
      'TRUNCATE auth.audit_entry',
    ]) {
      await expect(system.database.query(sql)).rejects.toThrow('append-only');
    }
  });
});

describe('spaces', () => {
  const rolesIn = (space: string) =>
    system.database.query('SELECT user_id AS user, role FROM auth.space_assignment WHERE space_id = $1', [space]);
  const factsOf = (caller: { user: string; vault: string }) => ({
    vault: caller.vault,
    user: caller.user,
    space: newId(),
    name: 'Lab',
  });

  it('have their creator as owner and are recorded once', async () => {
    const { caller } = await signUp(system);
    const workflows = await system.sourceOf('workflows');
    const facts = factsOf(caller);
    for (let times = 0; times < 3; times += 1) await workflows.emit(spaceCreated, facts);
    await eventually(async () => expect(await rolesIn(facts.space)).toEqual([{ user: caller.user, role: 'owner' }]));
    await workflows.emit(spaceDeleted, facts);
    await eventually(async () => expect(await rolesIn(facts.space)).toEqual([]));
    const { results } = await system.callAs(caller, listAuditLog, { query: { search: 'Lab' } });
    expect(results.map(({ action }) => action)).toEqual(['space.deleted', 'space.created']);
  });

  it('that were deleted before their creation event was handled have no owner', async () => {
    const { caller } = await signUp(system);
    const workflows = await system.sourceOf('workflows');
    const facts = factsOf(caller);
    await workflows.emit(spaceDeleted, facts);
    await eventually(async () =>
      expect((await system.callAs(caller, listAuditLog, { query: { action: 'space.deleted' } })).count).toBe(1),
    );
    await workflows.emit(spaceCreated, facts);
    await eventually(async () =>
      expect((await system.callAs(caller, listAuditLog, { query: { action: 'space.created' } })).count).toBe(1),
    );
    expect(await rolesIn(facts.space)).toEqual([]);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { freshDatabase, type FreshDatabase } from '@millrace/testkit/fresh-database';
import { deleteAuditEntries } from '../audit/delete-audit-entries.js';
import { ExpiryService } from './expiry.service.js';

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  database = new Database({ url: fresh.url, service: 'auth', connections: 2 });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const ago = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);

it('only expired records are deleted', async () => {
  const vault = { create: { id: newId(), name: 'v' } };
  const session = (name: string, expiresAt: Date) => ({ id: newId(), refreshHash: name, expiresAt });
  const sessions = [session('long over', ago(31)), session('just over', ago(1)), session('good', ago(-1))];
  await database.client.user.create({
    data: {
      id: newId(),
      vaultRole: 'owner',
      email: 'ada@example.org',
      name: 'Ada',
      vault,
      sessions: { create: sessions },
    },
  });
  await database.client.countedAttempt.createMany({
    data: [
      { id: newId(), subject: 'old', at: ago(1) },
      { id: newId(), subject: 'new' },
    ],
  });
  const user = (await database.client.user.findFirstOrThrow()).id;
  const ends = { over: ago(0.001), good: ago(-1) };
  for (const [name, expiresAt] of Object.entries(ends)) {
    const { deviceGrant, passwordReset, signInTicket } = database.client;
    const grant = { id: newId(), deviceHash: name, userCodeHash: name, client: 'svc-cli', interval: 5, expiresAt };
    await deviceGrant.create({ data: grant });
    await passwordReset.create({ data: { tokenHash: name, userId: user, expiresAt } });
    await signInTicket.create({ data: { ticketHash: name, userId: user, expiresAt } });
  }
  await new ExpiryService(database, { ADMIN_AUDIT_RETENTION_DAYS: 730 }).deleteExpired();
  const { deviceGrant, passwordReset, signInTicket } = database.client;
  expect(await deviceGrant.findMany()).toMatchObject([{ deviceHash: 'good' }]);
  expect(await passwordReset.findMany()).toMatchObject([{ tokenHash: 'good' }]);
  expect(await signInTicket.findMany()).toMatchObject([{ ticketHash: 'good' }]);
  const left = await database.client.session.findMany({ orderBy: { expiresAt: 'asc' } });
  expect(left.map(({ refreshHash }) => refreshHash)).toEqual(['just over', 'good']);
  expect(await database.client.countedAttempt.findMany()).toMatchObject([{ subject: 'new' }]);
});

it('invitations are deleted a quarter of a year after their end, and deleted spaces are forgotten after a year', async () => {
  const { invitation, knownSpace, vault } = database.client;
  const { id: vaultId } = await vault.create({ data: { id: newId(), name: 'v' } });
  for (const [name, days] of Object.entries({ long: 91, just: 89, open: -1 })) {
    const email = `${name}@example.org`;
    await invitation.create({
      data: { id: newId(), vaultId, email, role: 'member', tokenHash: name, expiresAt: ago(days) },
    });
  }
  const [existing, recent, old] = [newId(), newId(), newId()];
  await knownSpace.createMany({
    data: [
      { spaceId: existing, admitted: true },
      { spaceId: recent, deleted: true, deletedAt: ago(364) },
      { spaceId: old, deleted: true, deletedAt: ago(366) },
    ],
  });
  await new ExpiryService(database, { ADMIN_AUDIT_RETENTION_DAYS: 730 }).deleteExpired();
  expect((await invitation.findMany()).map(({ tokenHash }) => tokenHash).sort()).toEqual(['just', 'open']);
  expect((await knownSpace.findMany()).map(({ spaceId }) => spaceId).sort()).toEqual([existing, recent].sort());
});

it('entries of the audit log are deleted after the days of the setting, and never without it', async () => {
  const { auditEntry } = database.client;
  const ages = [29, 39, 41, 4_000];
  await auditEntry.createMany({
    data: ages.map((days) => ({
      ...{ id: newId(), vaultId: newId(), action: `${days}`, details: {}, createdAt: ago(days) },
    })),
  });
  const left = async () => (await auditEntry.findMany({ orderBy: { createdAt: 'desc' } })).map(({ action }) => action);
  await new ExpiryService(database, { ADMIN_AUDIT_RETENTION_DAYS: 730 }).deleteExpired();
  expect(await left()).toEqual(['29', '39', '41', '4000']);
  await new ExpiryService(database, { AUDIT_RETENTION_DAYS: 40, ADMIN_AUDIT_RETENTION_DAYS: 40 }).deleteExpired();
  expect(await left()).toEqual(['29', '39']);
  // Even a wrong call cannot delete young entries.
  await expect(deleteAuditEntries(database, 1)).rejects.toThrow('append-only');
  expect(await left()).toEqual(['29', '39']);
});

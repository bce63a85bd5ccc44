import { beforeAll, describe, expect, it } from '@jest/globals';
import { vaultRoleSuffices, requiredSpaceRole } from '@millrace/contracts/kit/access';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import {
  hasSpaceRole,
  PERMISSIONS,
  SPACE_ROLES,
  VAULT_ROLES,
  type SpaceRole,
  type VaultRole,
} from '@millrace/contracts/kit/permissions';
import { restOperations } from '@millrace/contracts/registry';
import { adminTokens, roles, users } from '@millrace/contracts/resources';
import { expiredAccess } from './support/expired-access.js';
import { invite } from './support/invite.js';
import { makeAdmin } from './support/make-admin.js';
import { makeInvitation, makeOneOfEach, makeSpace, sampleRequestOf, type OneOfEach } from './support/one-of-each.js';
import type { SampleRequest } from './support/sample-request.js';
import { send } from './support/send.js';
import { signUp, type Account } from './support/sign-up.js';

/** There is a user for each role in the vault, and a plain member of the vault for each role in its spaces. */
let world: OneOfEach;
let outsider: Account;
let inVault: Record<VaultRole, Account>;
let inSpace: Record<SpaceRole, Account>;
let expired: string;

beforeAll(async () => {
  const owner = await signUp();
  outsider = await signUp();
  world = await makeOneOfEach(owner);
  inVault = { owner, space_admin: await invite(owner, 'space_admin'), member: await invite(owner) };
  const people = await Promise.all(SPACE_ROLES.map(async (role) => [role, await invite(owner)] as const));
  inSpace = Object.fromEntries(people) as typeof inSpace;
  await grantRoles(world.space);
  await grantRoles(world.otherSpace, 'write');
  expired = await expiredAccess(owner);
});

/** Gives each user in `inSpace` their role in a space, or all of them the same role. */
async function grantRoles(spaceId: string, spaceRole?: SpaceRole): Promise<void> {
  for (const role of SPACE_ROLES) {
    const params = { spaceId, id: inSpace[role].user };
    await world.owner.client.call(roles.setUserSpaceRole, { params, body: { role: spaceRole ?? role } });
  }
}

/** Creates the records that a caller with the required role deletes, so each call needs new ones. */
async function makeDisposableRecords({ name }: AnyOperation): Promise<Partial<OneOfEach>> {
  if (name === 'auth.invitations.revoke') return { invitation: await makeInvitation(world.owner) };
  if (name !== 'workflows.spaces.delete') return {};
  const space = await makeSpace(world.owner);
  await grantRoles(space);
  return { space };
}

async function callAs(operation: AnyOperation, user: Account) {
  const request: SampleRequest = await sampleRequestOf(operation)({
    ...world,
    ...(await makeDisposableRecords(operation)),
  });
  return send(operation, request, `Bearer ${(request.as ?? user).access}`);
}

const REJECTION_STATUSES = [401, 403, 404, 429, 500, 503];

/** Expects that no check of the caller rejected the request. An unknown device code is 404 for permitted callers, too. */
function expectPermitted(operation: AnyOperation, { status, code }: { status: number; code?: string }): void {
  const isUnknownCode = operation.name.startsWith('auth.devices.') && status === 404;
  expect({ status, code, refused: REJECTION_STATUSES.includes(status) && !isUnknownCode }).toEqual({
    status,
    code,
    refused: false,
  });
}

const named = (operations: AnyOperation[]) => operations.map((operation) => [operation.name, operation] as const);
const granted = restOperations.filter(({ access }) => access.kind === 'granted');
const PUBLIC = [
  'auth.devices.requestCode',
  'auth.devices.token',
  'auth.google.redeem',
  'auth.invitations.accept',
  'auth.invitations.describe',
  'auth.joinedWorkers.join',
  'auth.keys.jwks',
  'auth.passwords.confirmReset',
  'auth.passwords.requestReset',
  'auth.sessions.login',
  'auth.sessions.methods',
  'auth.sessions.refresh',
  'auth.sessions.signup',
  'billing.stripeEvents.take',
  'runs.outputs.downloadSigned',
  'workflows.hooks.fire',
];

it('every operation declares its permissions, and no unexpected operation is public', () => {
  const open = restOperations.filter(({ access }) => access.kind === 'public').map(({ name }) => name);
  expect(open.sort()).toEqual(PUBLIC);
  for (const { name, access } of granted) {
    const rows = access.kind === 'granted' ? access.anyOf : [];
    expect({ name, isListed: rows.length > 0 && rows.every((row) => row in PERMISSIONS) }).toEqual({
      name,
      isListed: true,
    });
  }
});

describe.each(named(granted))('%s', (_, operation) => {
  const { access } = operation;
  const spaceRole = requiredSpaceRole(access);

  it('rejects missing and expired credentials', async () => {
    expect(await send(operation, {}, null)).toEqual({ status: 401, code: 'unauthenticated' });
    expect(await send(operation, {}, `Bearer ${expired}`)).toEqual({ status: 401, code: 'token_expired' });
  });

  if (operation.path.includes('{')) {
    it("hides another vault's records", async () => {
      const request = await sampleRequestOf(operation)(world);
      expect(await send(operation, request, `Bearer ${outsider.access}`)).toEqual({ status: 404, code: 'not_found' });
    });
  }

  for (const role of VAULT_ROLES) {
    if (vaultRoleSuffices(access, role) || role === 'owner') {
      it(`is open to the vault role ${role}`, async () => {
        expectPermitted(operation, await callAs(operation, inVault[role]));
      });
    } else if (spaceRole === null) {
      it(`is closed to the vault role ${role}`, async () => {
        expect(await callAs(operation, inVault[role])).toEqual({ status: 403, code: 'forbidden' });
      });
    } else {
      it(`does not exist for the vault role ${role} without a role in the space`, async () => {
        expect(await callAs(operation, inVault[role])).toEqual({ status: 404, code: 'not_found' });
      });
    }
  }

  for (const role of spaceRole === null ? [] : SPACE_ROLES) {
    if (spaceRole !== null && hasSpaceRole(role, spaceRole)) {
      it(`is open to the space role ${role}`, async () => {
        expectPermitted(operation, await callAs(operation, inSpace[role]));
      });
    } else {
      it(`is closed to the space role ${role}`, async () => {
        expect(await callAs(operation, inSpace[role])).toEqual({ status: 403, code: 'forbidden' });
      });
    }
  }
});

describe('an operation for administrators of the installation:', () => {
  const administrative = restOperations.filter(({ access }) => access.kind === 'instanceAdmin');
  const forbidden = { status: 403, code: 'forbidden' };
  /** API tokens of the owner and of an administrator, and an administrator's admin token that only reads. */
  let tokens: { owner: string; admin: string; reading: string };
  beforeAll(async () => {
    const admin = await makeAdmin();
    const body = { name: 'access', scope: 'read' } as const;
    tokens = {
      owner: (await world.owner.client.call(users.regenerateToken)).token,
      admin: (await admin.client.call(users.regenerateToken)).token,
      reading: (await admin.client.call(adminTokens.createAdminToken, { body })).token,
    };
  });

  it.each(named(administrative))(
    '%s is open to administrators only, whatever roles others have',
    async (_, operation) => {
      const request = await sampleRequestOf(operation)(world);
      const sendWith = (authorization: string | null) => send(operation, request, authorization);
      expect(await sendWith(null)).toEqual({ status: 401, code: 'unauthenticated' });
      expect(await sendWith(`Bearer ${expired}`)).toEqual({ status: 401, code: 'token_expired' });
      for (const role of VAULT_ROLES) expect(await sendWith(`Bearer ${inVault[role].access}`)).toEqual(forbidden);
      expect(await sendWith(`Token ${tokens.owner}`)).toEqual(forbidden);
      // A leaked API token of an administrator permits what it permits to everybody else.
      expect(await sendWith(`Token ${tokens.admin}`)).toEqual(forbidden);
      const isReadable = operation.method === 'GET' && !operation.sessionOnly;
      if (isReadable) expectPermitted(operation, await sendWith(`Token ${tokens.reading}`));
      else expect(await sendWith(`Token ${tokens.reading}`)).toEqual(forbidden);
      expectPermitted(operation, await sendWith(`Bearer ${(await makeAdmin()).access}`));
    },
  );

  it('is all that an admin token is accepted for', async () => {
    for (const operation of granted) {
      const { status } = await send(operation, {}, `Token ${tokens.reading}`);
      expect([operation.name, status]).toEqual([operation.name, 403]);
    }
  });
});

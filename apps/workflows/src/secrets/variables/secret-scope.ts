import { ForbiddenError, NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { Result } from '@millrace/contracts/kit/operation';
import { hasVaultRole } from '@millrace/contracts/kit/permissions';
import type { createSecretVariable } from '@millrace/contracts/workflows/secrets';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { SecretVariable } from '@millrace/persistence/generated/client';
import { findSpace } from '../../spaces/find-space.js';

/** Where a variable is available; the type determines which of the two ids is set. */
type SecretScope = Pick<SecretVariable, 'scopeType' | 'spaceId' | 'userId'>;

/**
 * Reads the scope in a request and checks that the caller may set variables there.
 * @throws ValidationError if `space` does not fit the scope; NotFoundError, ForbiddenError
 */
export async function readScope(
  client: Pick<Transaction, 'space'>,
  { scope_type: scopeType, space }: { scope_type: string; space?: string | undefined },
  context: Context,
): Promise<SecretScope> {
  if (scopeType === 'space' && space === undefined)
    throw new ValidationError({ 'body.space': 'is required if `scope_type` is "space"' });
  if (scopeType !== 'space' && space !== undefined)
    throw new ValidationError({ 'body.space': `is only accepted if \`scope_type\` is "space" (got "${scopeType}")` });
  const spaceId = space === undefined ? null : (await findSpace(client, space, context, 'space.administer')).id;
  const scope = { scopeType, spaceId, userId: scopeType === 'user' ? context.caller.user : null };
  requireScopeAccess(scope, 'Secret variable', context);
  return scope;
}

/** @throws NotFoundError if another user owns the variable, ForbiddenError if the caller's role is too weak */
export function requireScopeAccess(
  { scopeType, spaceId, userId }: SecretScope,
  record: string,
  context: Context,
): void {
  const { caller } = context;
  if (spaceId !== null) context.requireSpaceRole(spaceId, record, 'space.administer');
  else if (scopeType === 'vault' && !hasVaultRole(caller.vaultRole, 'owner')) throw new ForbiddenError();
  else if (scopeType === 'user' && userId !== caller.user) throw new NotFoundError(record);
}

type SecretResult = Result<typeof createSecretVariable>;

/** Without the value. */
export const toSecret = (row: Omit<SecretVariable, 'value'>): SecretResult => ({
  id: row.id,
  name: row.name,
  scope_type: row.scopeType as SecretResult['scope_type'],
  ...(row.spaceId !== null && { space: row.spaceId }),
  created_date: row.createdAt.toISOString(),
  modified_date: row.modifiedAt.toISOString(),
});

import { ForbiddenError, NotFoundError, ValidationError } from '@millrace/contracts/kit/api-error';
import { hasVaultRole } from '@millrace/contracts/kit/permissions';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Transaction } from '@millrace/persistence/database';
import type { SecretVariable } from '@millrace/persistence/generated/client';
import { findSpace } from '../../spaces/find-space.js';

/** Where a variable counts; which of the two is set follows from the type. */
export type SecretScope = Pick<SecretVariable, 'scopeType' | 'spaceId' | 'userId'>;

/**
 * The scope that a request names, where the caller may set variables.
 * @throws ValidationError where `space` does not go with the scope; NotFoundError, ForbiddenError
 */
export async function readScope(
  client: Pick<Transaction, 'space'>,
  { scope_type: scopeType, space }: { scope_type: string; space?: string | undefined },
  context: Context,
): Promise<SecretScope> {
  if (scopeType === 'space' && space === undefined)
    throw new ValidationError({ 'body.space': 'is needed where the scope is a space' });
  if (scopeType !== 'space' && space !== undefined)
    throw new ValidationError({ 'body.space': 'goes with the scope "space" only' });
  const spaceId = space === undefined ? null : (await findSpace(client, space, context, 'space.administer')).id;
  const scope = { scopeType, spaceId, userId: scopeType === 'user' ? context.caller.user : null };
  requireScopeAccess(scope, context);
  return scope;
}

/** @throws NotFoundError where the variable is somebody else's, ForbiddenError where the caller's role is too weak */
export function requireScopeAccess({ scopeType, spaceId, userId }: SecretScope, context: Context): void {
  const { caller } = context;
  if (spaceId !== null) context.requireSpaceRole(spaceId, 'Secret variable', 'space.administer');
  else if (scopeType === 'vault' && !hasVaultRole(caller.vaultRole, 'owner')) throw new ForbiddenError();
  else if (scopeType === 'user' && userId !== caller.user) throw new NotFoundError('Secret variable');
}

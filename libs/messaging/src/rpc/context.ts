import { requires, vaultRoleSuffices, requiredSpaceRole } from '@millrace/contracts/kit/access';
import { ApiError, ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { hasSpaceRole, SPACE_ROLES, type Permission } from '@millrace/contracts/kit/permissions';

/** Requests whose space role was checked. */
const checkedRequests = new WeakSet<Envelope>();

/** The caller of a request and their permissions; the second argument of every handler. */
export class Context {
  constructor(
    private readonly operation: AnyOperation,
    readonly envelope: Envelope,
  ) {}

  /** The signed-in caller. @throws ApiError `unauthenticated` in a public operation */
  get caller(): Caller {
    if (!this.envelope.caller)
      throw new ApiError('unauthenticated', 'This operation needs credentials. Sign in, or send an API token.');
    return this.envelope.caller;
  }

  get requestId(): string {
    return this.envelope.requestId;
  }

  /**
   * Checks the caller's role in the space of a record against the access that the operation declares.
   * @param record kind and id, for the error, such as `Workflow 01a2…`
   * @param permission checked instead of the declared access, if an operation reads from one space and writes to
   * another
   * @throws NotFoundError if the caller has no role in the space, as if the record did not exist; ForbiddenError if the
   * role is too weak
   */
  requireSpaceRole(space: string, record: string, permission?: Permission): void {
    checkedRequests.add(this.envelope);
    const { spaces, vaultRole } = this.caller;
    const access = permission === undefined ? this.operation.access : requires(permission);
    const requiredRole = requiredSpaceRole(access);
    if (spaces === 'all' || (requiredRole !== null && vaultRoleSuffices(access, vaultRole))) return;
    const role = Object.hasOwn(spaces, space) ? spaces[space] : undefined;
    if (!role) throw new NotFoundError(record);
    if (!hasSpaceRole(role, requiredRole ?? 'read')) throw new ForbiddenError();
  }

  /**
   * Like `requireSpaceRole`, for a record that may be public in its vault. If the operation requires only the weakest
   * space role, every member of the vault passes.
   * @throws NotFoundError, ForbiddenError
   */
  requireSpaceRoleUnlessPublic(space: string, record: string, isPublic: boolean): void {
    if (isPublic && requiredSpaceRole(this.operation.access) === SPACE_ROLES[0]) checkedRequests.add(this.envelope);
    else this.requireSpaceRole(space, record);
  }
}

/** True if the space role was checked, or the operation requires none. */
export const hasCheckedSpaceRole = ({ access }: AnyOperation, envelope: Envelope): boolean =>
  requiredSpaceRole(access) === null || checkedRequests.has(envelope);

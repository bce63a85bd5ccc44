import { requires, vaultRoleSuffices, requiredSpaceRole } from '@millrace/contracts/kit/access';
import { ApiError, ForbiddenError, NotFoundError } from '@millrace/contracts/kit/api-error';
import type { Caller, Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { hasSpaceRole, SPACE_ROLES, type Permission } from '@millrace/contracts/kit/permissions';

/** Requests of which a role in a space was asked. */
const entered = new WeakSet<Envelope>();

/** Who asks, and what they may do here; given to each handler beside its input. */
export class Context {
  constructor(
    private readonly operation: AnyOperation,
    readonly envelope: Envelope,
  ) {}

  /** The signed-in caller. @throws ApiError `unauthenticated` in a public operation */
  get caller(): Caller {
    if (!this.envelope.caller) throw new ApiError('unauthenticated', 'Sign in first');
    return this.envelope.caller;
  }

  get requestId(): string {
    return this.envelope.requestId;
  }

  /**
   * Checks the caller's role in the space of a record that is being used, against what the operation declares.
   * @param by the row that counts instead, where an operation takes from one space and gives to another
   * @throws NotFoundError where the caller has no role there, as if it did not exist; ForbiddenError where the role is too weak
   */
  requireSpaceRole(space: string, what: string, by?: Permission): void {
    entered.add(this.envelope);
    const { spaces, vaultRole } = this.caller;
    const access = by === undefined ? this.operation.access : requires(by);
    const wanted = requiredSpaceRole(access);
    if (spaces === 'all' || (wanted !== null && vaultRoleSuffices(access, vaultRole))) return;
    const held = Object.hasOwn(spaces, space) ? spaces[space] : undefined;
    if (!held) throw new NotFoundError(what);
    if (!hasSpaceRole(held, wanted ?? 'read')) throw new ForbiddenError();
  }

  /**
   * The same for a record that may be open to all of its vault: then what the weakest role in a space may, everybody may.
   * @throws NotFoundError, ForbiddenError
   */
  requireSpaceRoleUnlessPublic(space: string, what: string, open: boolean): void {
    if (open && requiredSpaceRole(this.operation.access) === SPACE_ROLES[0]) entered.add(this.envelope);
    else this.requireSpaceRole(space, what);
  }
}

/** Whether the role that an operation wants in a space was asked, or it wants none. */
export const hasCheckedSpaceRole = ({ access }: AnyOperation, envelope: Envelope): boolean =>
  requiredSpaceRole(access) === null || entered.has(envelope);

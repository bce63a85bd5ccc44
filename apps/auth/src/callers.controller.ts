import { Controller } from '@nestjs/common';
import { resolveCaller } from '@millrace/contracts/auth/callers';
import { listSigningKeys } from '@millrace/contracts/auth/signing-keys';
import type { VaultRole } from '@millrace/contracts/kit/permissions';
import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { Handles } from '@millrace/messaging/handles';
import { Database } from '@millrace/persistence/database';
import type { User } from '@millrace/persistence/generated/client';
import { SigningKeys } from './signing-keys.js';

type Credential = Input<typeof resolveCaller>['body'];

/** What the gateway asks to find out who is calling. */
@Controller()
export class CallersController {
  constructor(
    private readonly database: Database,
    private readonly keys: SigningKeys,
  ) {}

  @Handles(resolveCaller)
  async resolve({ body }: Input<typeof resolveCaller>): Promise<Result<typeof resolveCaller>> {
    const user = await this.findUser(body);
    return { caller: user ? toCaller(user) : null };
  }

  @Handles(listSigningKeys)
  async listKeys(): Promise<Result<typeof listSigningKeys>> {
    return { keys: await this.keys.listPublic() };
  }

  private findUser(credential: Credential): Promise<User | null> {
    const { user } = this.database.client;
    if ('tokenHash' in credential) {
      return user.findFirst({ where: { tokenHash: credential.tokenHash, disabledAt: null } });
    }
    const session = { id: credential.session, revokedAt: null, expiresAt: { gt: new Date() } };
    return user.findFirst({ where: { id: credential.user, disabledAt: null, sessions: { some: session } } });
  }
}

/** Owners enter every space. Others have no role in a space before one is given to them. */
function toCaller({ id, vaultId, vaultRole }: User): Caller {
  return { user: id, vault: vaultId, vaultRole: vaultRole as VaultRole, spaces: vaultRole === 'owner' ? 'all' : {} };
}

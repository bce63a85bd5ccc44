import { Injectable } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import { secretChanged } from '@millrace/contracts/workflows/secrets';
import { Listens } from '@millrace/messaging/listens';
import type { Transaction } from '@millrace/persistence/database';
import { noteAudit } from './note-audit.js';

/** Who set which secret variable, never to what. */
@Injectable()
export class SecretChangedListener {
  @Listens(secretChanged)
  async note(changes: Payload<typeof secretChanged>[], tx: Transaction): Promise<void> {
    for (const { vault, user, change, variable, name, scope, space, address } of changes) {
      await noteAudit(tx, {
        vault,
        actor: user,
        action: `secret_variable.${change}`,
        target: { type: 'secret_variable', id: variable, name },
        details: { scope, ...(space !== undefined && { space }) },
        ...(address !== undefined && { address }),
      });
    }
  }
}

import { Controller } from '@nestjs/common';
import { vaultCreated } from '@millrace/contracts/auth/vaults';
import type { Payload } from '@millrace/contracts/kit/event';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { spaceCreated } from '@millrace/contracts/workflows/spaces';
import { prepareVault } from '@millrace/contracts/workflows/vaults';
import { EventHandler } from '@millrace/messaging/events/event-handler';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { addVersion } from '../versions/saving/add-version.js';
import { encodeData } from '../versions/saving/encode-data.js';
import { SAMPLE_WORKFLOW } from './sample-workflow.js';

@Controller()
export class VaultsController {
  constructor(private readonly database: Database) {}

  @OperationHandler(prepareVault)
  async prepare({ body }: Input<typeof prepareVault>): Promise<Result<typeof prepareVault>> {
    return this.database.transaction(async (tx) => {
      await createFirstSpace(tx, body.vault, body.owner);
      return {};
    });
  }

  /**
   * In the order of ids, because another copy of the service may prepare some of the same vaults at the same moment.
   */
  @EventHandler(vaultCreated)
  async prepareCreated(created: Payload<typeof vaultCreated>[], tx: Transaction): Promise<void> {
    const vaults = created.toSorted((a, b) => (a.vault < b.vault ? -1 : 1));
    for (const { vault, owner } of vaults) await createFirstSpace(tx, vault, owner);
  }
}

/**
 * Creates a vault's first space with a sample workflow, once. Both the sign-up call and the vault's event request it,
 * at the same moment or days apart, when the user may have deleted the space. Of two concurrent calls the second waits
 * at the unique key until the first has committed.
 */
async function createFirstSpace(tx: Transaction, vaultId: string, author: string): Promise<void> {
  const isFirst = await tx.$executeRaw`
    INSERT INTO workflows.prepared_vault (vault_id) VALUES (${vaultId}::uuid) ON CONFLICT DO NOTHING`;
  if (isFirst === 0) return;
  const space = await tx.space.create({
    data: { id: newId(), vaultId, name: 'Playground', playground: true, author },
  });
  tx.emit(spaceCreated, { vault: vaultId, space: space.id, name: space.name, user: author });
  const { name, description, data } = SAMPLE_WORKFLOW;
  const workflow = await tx.workflow.create({
    data: { id: newId(), vaultId, spaceId: space.id, name, description, author },
  });
  await addVersion(tx, workflow.id, { ...encodeData(data), author, expected: null });
}

import { spaceCreated } from '@millrace/contracts/workflows/spaces';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { addVersion } from '../versions/saving/add-version.js';
import { encodeData } from '../versions/saving/encode-data.js';
import { SAMPLE_WORKFLOW } from './sample-workflow.js';

/**
 * Creates a vault's first space with a sample workflow, once. Both the sign-up call and the vault's event request it,
 * at the same moment or days apart, when the user may have deleted the space. Of two concurrent calls the second waits
 * at the unique key until the first has committed.
 */
export async function createFirstSpace(tx: Transaction, vaultId: string, author: string): Promise<void> {
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

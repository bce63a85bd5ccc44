import { spaceCreated } from '@millrace/contracts/workflows/spaces';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { addVersion } from '../versions/saving/add-version.js';
import { encodeData } from '../versions/saving/encode-data.js';
import { SAMPLE_WORKFLOW } from './sample-workflow.js';

/**
 * Makes a vault's first space with a sample workflow, once: sign-up asks for it and the vault's event brings it about
 * too, at the same moment or days later, when the user may have deleted the space. The second of two at once waits at
 * the unique key until the first has committed.
 */
export async function prepareVault(tx: Transaction, vaultId: string, author: string): Promise<void> {
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

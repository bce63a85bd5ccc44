import { isRecord } from '@millrace/graph/data/is-record';
import type { Database } from '@millrace/persistence/database';
import type { Space, Version } from '@millrace/persistence/generated/client';
import { isId } from '@millrace/persistence/ids';
import { encodeData, toEncodedData, type EncodedData } from '../../versions/saving/encode-data.js';

/**
 * The data of a version for a copy in a space. Modules that follow the latest version of a workflow in another space
 * are pinned to its current latest version. Without such modules the data stays the same, byte for byte.
 */
export async function pinModules(
  client: Database['client'],
  version: Version,
  { id: space, vaultId }: Pick<Space, 'id' | 'vaultId'>,
): Promise<EncodedData> {
  const stored = toEncodedData(version);
  const rows = await client.workflow.findMany({
    where: {
      vaultId,
      id: { in: version.modules.filter(isId) },
      spaceId: { not: space },
      latestVersionId: { not: null },
    },
    select: { id: true, latestVersionId: true },
  });
  if (rows.length === 0) return stored;
  const latest = new Map(rows.map(({ id, latestVersionId }) => [id, latestVersionId]));
  const data = JSON.parse(version.data) as Record<string, unknown>;
  const nodes = isRecord(data['nodes']) ? data['nodes'] : {};
  for (const node of Object.values(nodes)) {
    if (!isRecord(node) || node['type'] !== 'WORKFLOW' || typeof node['workflow'] !== 'string') continue;
    node['workflow'] = latest.get(node['workflow'].toLowerCase()) ?? node['workflow'];
  }
  return encodeData(data);
}

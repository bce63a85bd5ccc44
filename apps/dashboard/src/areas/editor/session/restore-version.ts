import { client } from '../../../api/client.js';
import { queryClient } from '../../../api/query-client.js';
import { notify } from '../../../ui/toast.js';
import { findRenames } from '../document/find-renames.js';
import type { Base } from './editor-session.js';
import { moveBindings } from './move-bindings.js';
import { loadVersion } from './save-version.js';

/**
 * Makes an earlier version the latest again, as a new version. Nodes that get a former name back keep their tables.
 * @param latest id of the latest version; nothing is restored if it is no longer the latest
 * @returns the new version
 */
export async function restoreVersion(
  workflow: string,
  { id, number }: { id: string; number: number },
  latest: string,
): Promise<Base> {
  const replaced = await loadVersion(workflow, latest);
  const { id: saved } = await client.versions.restore(workflow, id, { expected_version_id: latest });
  const restored = await loadVersion(workflow, saved);
  await moveBindings(workflow, findRenames(replaced.document, restored.document));
  await queryClient.invalidateQueries({ queryKey: ['editor', 'versions', workflow] });
  notify({ title: `Version ${number} is the latest again, as version ${restored.number}` });
  return restored;
}

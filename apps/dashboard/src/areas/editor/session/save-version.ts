import { ConflictError } from '@millrace/client';
import { client } from '../../../api/client.js';
import { writeData } from '../document/document.js';
import { findRenames } from '../document/find-renames.js';
import type { EditorSession } from './editor-session.js';
import { moveBindings } from './move-bindings.js';
import { toBase } from './open-workflow.js';

export type SaveResult = { state: 'saved'; number: number; isNew: boolean } | { state: 'conflict'; latest: string };

/**
 * Saves the document as a version, if the version that it started from is still the newest one. Otherwise nothing is saved, and
 * the newest version is named.
 */
export async function saveVersion(session: EditorSession, workflow: string, name?: string): Promise<SaveResult> {
  const document = session.document.get();
  const base = session.base.get();
  if (base.versionId === undefined) {
    const { latest_version_info: latest } = await client.workflows.get(workflow);
    if (latest !== undefined) return { state: 'conflict', latest };
  }
  try {
    const saved = await client.versions.save(workflow, {
      data: writeData(document),
      ...(name !== undefined && name !== '' && { name }),
      ...(base.versionId !== undefined && { expected_version_id: base.versionId }),
    });
    await moveBindings(workflow, findRenames(base.document, document, session.history.get().done));
    // The document stays as it is: the user may have edited it while it was being saved.
    session.rebase({ versionId: saved.id, number: saved.number, document });
    return { state: 'saved', number: saved.number, isNew: saved.number !== base.number };
  } catch (error) {
    const latest = conflictingVersion(error);
    if (latest === undefined) throw error;
    return { state: 'conflict', latest };
  }
}

function conflictingVersion(error: unknown): string | undefined {
  if (!(error instanceof ConflictError)) return undefined;
  const latest = error.details?.['latest_version_id'];
  return typeof latest === 'string' ? latest : undefined;
}

/** Loads the version that somebody else saved. */
export const loadVersion = async (workflow: string, version: string) =>
  toBase(await client.versions.get(workflow, version));

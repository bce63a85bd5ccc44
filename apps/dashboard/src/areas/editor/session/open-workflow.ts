import { MillraceError, type Version } from '@millrace/client';
import { client } from '../../../api/client.js';
import { readDocument } from '../document/document.js';
import { type Draft, draftKey, readDraft } from './draft-storage.js';
import { type Base, EditorSession, emptyBase } from './editor-session.js';
import { latestVersion } from './latest-version.js';

export interface OpenedWorkflow {
  session: EditorSession;
  /** Whether edits of an earlier visit were restored. */
  isRestored: boolean;
  /** The newest version, if the draft started from an earlier one. */
  newerVersion: Version | undefined;
}

export const toBase = ({ id, number, data }: Version): Base => ({
  versionId: id,
  number,
  document: readDocument(data),
});

/** Loads the newest version, and the user's draft over it. */
export async function openWorkflow(workflow: string, user: string, signal: AbortSignal): Promise<OpenedWorkflow> {
  const [latest, draft] = await Promise.all([
    latestVersion(workflow),
    // Without a draft database, as in a private window, the newest version opens.
    readDraft(draftKey(user, workflow)).catch(() => undefined),
  ]);
  const newest = latest ? toBase(latest) : emptyBase();
  if (!draft) return { session: new EditorSession(newest), isRestored: false, newerVersion: undefined };
  const document = readDocument(draft.data);
  if (draft.baseVersion === latest?.id)
    return { session: new EditorSession(newest, document), isRestored: true, newerVersion: undefined };
  const base = await baseOf(workflow, draft, signal);
  return { session: new EditorSession(base, document), isRestored: true, newerVersion: latest ?? undefined };
}

async function baseOf(workflow: string, { baseVersion }: Draft, signal: AbortSignal): Promise<Base> {
  if (baseVersion === undefined) return emptyBase();
  try {
    return toBase(await client.versions.get(workflow, baseVersion, { signal }));
  } catch (error) {
    // Without the version that the draft started from, everything counts as changed by both.
    if (error instanceof MillraceError && error.status === 404) return { ...emptyBase(), versionId: baseVersion };
    throw error;
  }
}

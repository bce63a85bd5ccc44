import { createContext, useContext } from 'react';
import type { Workflow } from '@millrace/client';
import { type Store, useStore } from '../../../store/create-store.js';
import type { Document } from '../document/document.js';
import type { Validation } from '../problems/validate-edits.js';
import type { EditorSession } from './editor-session.js';
import type { DraftState } from './keep-draft.js';

/** What the parts of the editor share. */
export interface Editor {
  workflow: Workflow;
  session: EditorSession;
  draft: Store<DraftState>;
  validation: Store<Validation>;
  canEdit: boolean;
  canRun: boolean;
}

export const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  const editor = useContext(EditorContext);
  if (!editor) throw new Error('useEditor works only inside of the editor.');
  return editor;
}

export const useDocument = (): Document => useStore(useEditor().session.document);
export const useValidation = (): Validation => useStore(useEditor().validation);

import { type RefObject, useEffect } from 'react';
import type { GraphHandle } from '../../../graph/graph-view.js';
import type { Point } from '../../../graph/model/graph.js';
import { notify } from '../../../ui/toast.js';
import { copyFragment, pasteFragment } from '../edits/fragment.js';
import { removeNodes } from '../edits/node-edits.js';
import { useEditor } from '../session/editor-context.js';
import { withMembers } from '../session/selected-nodes.js';
import { readClipboard, writeClipboard } from './clipboard.js';

/** Each paste of the same text is moved further, so that copies do not hide each other. */
const PASTE_OFFSET = 40;

const isOtherTarget = (): boolean => {
  const { activeElement: active } = document;
  const isField =
    active instanceof HTMLElement && (active.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(active.tagName));
  return isField || (active?.shadowRoot !== null && active !== null) || !getSelection()?.isCollapsed;
};

/**
 * Copies, cuts and pastes nodes as YAML. It uses the clipboard events of the browser, which also work on plain HTTP, where the
 * clipboard API is missing.
 */
export function useClipboard(handle: RefObject<GraphHandle | null>): void {
  const { session, canEdit } = useEditor();
  useEffect(() => {
    let pastes = 0;
    const copy = (event: ClipboardEvent) => {
      const ids = withMembers(session);
      if (ids.size === 0 || isOtherTarget()) return;
      event.preventDefault();
      pastes = 0;
      const { positions } = session.places.get();
      event.clipboardData?.setData('text/plain', writeClipboard(copyFragment(session.document.get(), ids, positions)));
      if (event.type === 'cut' && canEdit) session.edit(removeNodes(session.document.get(), ids), 'Cut');
    };
    const paste = (event: ClipboardEvent) => {
      if (!canEdit || isOtherTarget()) return;
      const data = readClipboard(event.clipboardData?.getData('text/plain') ?? '');
      if (!data) return;
      event.preventDefault();
      pastes++;
      const offset: Point = { x: PASTE_OFFSET * pastes, y: PASTE_OFFSET * pastes };
      let names: string[] = [];
      session.editPlaced((current) => {
        const pasted = pasteFragment(current, data, offset);
        ({ names } = pasted);
        return pasted.diff;
      }, 'Paste');
      session.select(names);
      // They may be out of view. The canvas draws them after this.
      setTimeout(() => handle.current?.show(names[0] ?? ''));
      notify({ title: names.length === 1 ? `Pasted ${names[0] ?? ''}` : `Pasted ${names.length} nodes` });
    };
    addEventListener('copy', copy);
    addEventListener('cut', copy);
    addEventListener('paste', paste);
    return () => {
      removeEventListener('copy', copy);
      removeEventListener('cut', copy);
      removeEventListener('paste', paste);
    };
  }, [session, canEdit, handle]);
}

import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from '../../store/create-store.js';
import { editorRoute } from './routes.js';
import type { EditorSession } from './session/editor-session.js';

/**
 * Keeps the selected node in the address, and selects the one that a link, Back or Forward names. A selection replaces the address:
 * otherwise Back would go through every node that was clicked before it leaves the editor.
 */
export function useSelectionInUrl(session: EditorSession, node: string | undefined): void {
  const navigate = useNavigate();
  const selection = useStore(session.selection);
  const [only] = selection;
  const current = selection.size === 1 ? only : undefined;
  /** The address that is on its way: one before it is outdated. */
  const pending = useRef<{ node: string | undefined }>(undefined);
  const follow = useEffectEvent((named: string | undefined) => {
    const isOwn = pending.current !== undefined;
    if (pending.current?.node === named) pending.current = undefined;
    if (!isOwn && named !== current) session.select(named === undefined ? [] : [named]);
  });
  const write = useEffectEvent((selected: string | undefined) => {
    if (selected === node) return;
    pending.current = { node: selected };
    void navigate({
      from: editorRoute.fullPath,
      search: (old) => ({ ...old, node: selected }),
      replace: true,
      resetScroll: false,
    });
  });
  // In this order: the node of a link is selected before an empty selection could replace the address.
  useEffect(() => follow(node), [node]);
  useEffect(
    () => write(session.selection.get().size === 1 ? [...session.selection.get()][0] : undefined),
    [session, current],
  );
}

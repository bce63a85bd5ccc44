import { type EditorSession, GROUP_PREFIX } from './editor-session.js';

/** The selected nodes, with those of selected groups in place of the groups. */
export function withMembers(session: EditorSession): ReadonlySet<string> {
  const { groups } = session.document.get();
  return new Set(
    [...session.selection.get()].flatMap((id) =>
      id.startsWith(GROUP_PREFIX) ? (groups[id.slice(GROUP_PREFIX.length)]?.nodes ?? []) : [id],
    ),
  );
}

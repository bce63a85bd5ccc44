import { useMemo } from 'react';
import { boundsOf } from '../../../graph/model/bounds.js';
import type { GraphNode } from '../../../graph/model/graph.js';
import { IconButton } from '../../../ui/button.js';
import { updateGroup } from '../edits/group-edits.js';
import { useDocument, useEditor } from '../session/editor-context.js';
import { Note } from './note.js';

const PADDING = 20;
const TITLE_HEIGHT = 32;

/** What is behind the nodes: frames of open groups, and notes. */
export function CanvasBackdrop({ nodes }: { nodes: readonly GraphNode[] }) {
  const { groups, annotations } = useDocument();
  const byId = useMemo(() => new Map(nodes.map((node) => [node.id, node])), [nodes]);
  return (
    <>
      {Object.entries(groups).map(([key, group]) =>
        group.is_collapsed === true ? null : (
          <GroupFrame
            key={key}
            id={key}
            label={group.label}
            members={group.nodes.flatMap((id) => byId.get(id) ?? [])}
          />
        ),
      )}
      {Object.entries(annotations).map(([id, note]) => (
        <Note key={id} id={id} note={note} />
      ))}
    </>
  );
}

function GroupFrame({ id, label, members }: { id: string; label: string; members: readonly GraphNode[] }) {
  const { session, canEdit } = useEditor();
  if (members.length === 0) return null;
  const { x, y, width, height } = boundsOf(members);
  return (
    <div
      style={{
        left: x - PADDING,
        top: y - PADDING - TITLE_HEIGHT,
        width: width + 2 * PADDING,
        height: height + 2 * PADDING + TITLE_HEIGHT,
      }}
      className="absolute -z-10 rounded-lg border border-dashed border-line-strong bg-panel/60"
    >
      <div className="pointer-events-auto flex h-8 items-center gap-1 pr-1 pl-3">
        <button
          type="button"
          dir="auto"
          onClick={() => session.select(members.map((member) => member.id))}
          className="min-w-0 flex-1 truncate text-left text-xs font-medium text-muted hover:text-ink"
          title="Select its nodes"
        >
          {label}
        </button>
        {canEdit && (
          <IconButton
            icon="minus"
            label={`Collapse ${label}`}
            onClick={() =>
              session.edit(updateGroup(session.document.get(), id, { is_collapsed: true }), 'Collapse the group')
            }
          />
        )}
      </div>
    </div>
  );
}

import type { GraphNode } from '../../../graph/model/graph.js';
import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { labelOf } from '../document/label-of.js';
import type { Alignment } from '../edits/align-nodes.js';
import { alignSelected, deleteSelected, duplicateSelected, groupSelected } from '../session/editor-actions.js';
import { useDocument, useEditor } from '../session/editor-context.js';
import { GroupFields } from './group-fields.js';
import { PanelFrame, PanelSection } from './panel-frame.js';

const CHOICES: readonly { alignment: Alignment; label: string }[] = [
  { alignment: 'left', label: 'Left' },
  { alignment: 'center', label: 'Center' },
  { alignment: 'right', label: 'Right' },
  { alignment: 'top', label: 'Top' },
  { alignment: 'middle', label: 'Middle' },
  { alignment: 'bottom', label: 'Bottom' },
  { alignment: 'row', label: 'Row' },
  { alignment: 'column', label: 'Column' },
];

const MAX_LISTED = 200;

const isWhole = (members: readonly string[], ids: ReadonlySet<string>): boolean =>
  members.length === ids.size && members.every((id) => ids.has(id));

/** Several nodes: what can be done with all of them. */
export function ManyPanel({ nodes, ids }: { nodes: readonly GraphNode[]; ids: ReadonlySet<string> }) {
  const { session, canEdit } = useEditor();
  const document = useDocument();
  const group = Object.keys(document.groups).find((key) => isWhole(document.groups[key]?.nodes ?? [], ids));
  return (
    <PanelFrame icon="layers" kind="Selection" title={countOf(ids.size, 'node')}>
      {group !== undefined && (
        <PanelSection title="Group">
          <GroupFields id={group} />
        </PanelSection>
      )}
      {canEdit && (
        <>
          <PanelSection title="Align">
            <div className="grid grid-cols-3 gap-1.5">
              {CHOICES.map(({ alignment, label }) => (
                <Button key={alignment} onClick={() => alignSelected(session, nodes, alignment)}>
                  {label}
                </Button>
              ))}
            </div>
          </PanelSection>
          <PanelSection>
            <div className="flex flex-wrap gap-1.5">
              {group === undefined && (
                <Button icon="layers" onClick={() => groupSelected(session)}>
                  Group
                </Button>
              )}
              <Button icon="copy" onClick={() => duplicateSelected(session)}>
                Duplicate
              </Button>
              <Button icon="trash" look="danger" onClick={() => deleteSelected(session)}>
                Delete
              </Button>
            </div>
          </PanelSection>
        </>
      )}
      <PanelSection title="Nodes">
        <ul className="flex flex-col gap-1 text-sm">
          {[...ids].slice(0, MAX_LISTED).map((id) => (
            <li key={id}>
              <button
                type="button"
                dir="auto"
                className="link max-w-full truncate"
                onClick={() => session.select([id])}
              >
                {labelOf(document, id)}
              </button>
            </li>
          ))}
        </ul>
        {ids.size > MAX_LISTED && (
          <p className="text-sm text-muted">and {countOf(ids.size - MAX_LISTED, 'more node')}</p>
        )}
      </PanelSection>
    </PanelFrame>
  );
}

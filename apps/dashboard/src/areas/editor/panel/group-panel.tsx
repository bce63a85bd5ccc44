import { countOf } from '../../../text/format-count.js';
import { Button } from '../../../ui/button.js';
import { TextField } from '../../../ui/field.js';
import { ungroup, updateGroup } from '../edits/group-edits.js';
import { useDocument, useEditor } from '../session/editor-context.js';
import { PanelFrame, PanelSection } from './panel-frame.js';

/** A collapsed group. */
export function GroupPanel({ id }: { id: string }) {
  const { session, canEdit } = useEditor();
  const group = useDocument().groups[id];
  if (!group) return null;
  return (
    <PanelFrame icon="layers" kind="Group" title={group.label}>
      <PanelSection>
        <TextField
          label="Name"
          value={group.label}
          disabled={!canEdit}
          onChange={(label) =>
            session.edit(updateGroup(session.document.get(), id, { label }), 'Rename the group', `group ${id}`)
          }
          onBlur={() => session.closeStep()}
        />
        <p className="wrap-text text-sm text-muted">
          {countOf(group.nodes.length, 'node')}: {group.nodes.join(', ')}
        </p>
        {canEdit && (
          <div className="flex gap-2">
            <Button
              onClick={() =>
                session.edit(updateGroup(session.document.get(), id, { is_collapsed: false }), 'Open the group')
              }
            >
              Open
            </Button>
            <Button onClick={() => session.edit(ungroup(session.document.get(), id), 'Ungroup')}>Ungroup</Button>
          </div>
        )}
      </PanelSection>
    </PanelFrame>
  );
}

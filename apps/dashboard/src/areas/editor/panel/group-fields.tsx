import { Button } from '../../../ui/button.js';
import { TextField } from '../../../ui/field.js';
import { ungroup, updateGroup } from '../edits/group-edits.js';
import { useDocument, useEditor } from '../session/editor-context.js';

/** The name of a group, and what can be done with it. */
export function GroupFields({ id }: { id: string }) {
  const { session, canEdit } = useEditor();
  const group = useDocument().groups[id];
  if (!group) return null;
  const isCollapsed = group.is_collapsed === true;
  const toggle = () =>
    session.edit(
      updateGroup(session.document.get(), id, { is_collapsed: !isCollapsed }),
      isCollapsed ? 'Open the group' : 'Collapse the group',
    );
  return (
    <>
      <TextField
        label="Name"
        value={group.label}
        dir="auto"
        maxLength={255}
        disabled={!canEdit}
        onChange={(label) =>
          session.edit(updateGroup(session.document.get(), id, { label }), 'Rename the group', `group ${id}`)
        }
        onBlur={() => session.closeStep()}
      />
      {canEdit && (
        <div className="flex gap-2">
          <Button onClick={toggle}>{isCollapsed ? 'Open' : 'Collapse'}</Button>
          <Button onClick={() => session.edit(ungroup(session.document.get(), id), 'Ungroup')}>Ungroup</Button>
        </div>
      )}
    </>
  );
}

import { IconButton } from '../../../ui/button.js';
import { TextField } from '../../../ui/field.js';
import { NODE_KINDS } from '../canvas/node-kinds.js';
import type { NodeRecord } from '../document/document.js';
import { labelOf } from '../document/label-of.js';
import type { EditorDialog } from '../session/dialogs.js';
import { deleteSelected } from '../session/editor-actions.js';
import { useDocument, useEditor, useValidation } from '../session/editor-context.js';
import { NameField } from './fields/name-field.js';
import { useNodeEdit, withField } from './fields/use-node-edit.js';
import { NodeProblems } from './node-problems.js';
import { PanelFrame, PanelSection } from './panel-frame.js';
import { ApprovalSection } from './sections/approval-section.js';
import { CommandSection } from './sections/command-section.js';
import { DistributionSection } from './sections/distribution-section.js';
import { FailureSection } from './sections/failure-section.js';
import { InputsSection } from './sections/inputs-section.js';
import { ModuleSection } from './sections/module-section.js';
import { RunSection } from './sections/run-section.js';
import { ScriptSection } from './sections/script-section.js';
import { TablesSection } from './sections/tables-section.js';

interface NodePanelProps {
  id: string;
  node: NodeRecord;
  openCount: number;
  onDialog: (dialog: EditorDialog) => void;
}

/** Everything that a node has, each field with its problems. */
export function NodePanel({ id, node, openCount, onDialog }: NodePanelProps) {
  const { session, canEdit, canRun } = useEditor();
  const { problems } = useValidation();
  const own = problems.byNode.get(id) ?? [];
  const edit = useNodeEdit(id);
  const title = labelOf(useDocument(), id);
  const { icon, label } = NODE_KINDS[node.type];
  const section = { id, node, problems: own };
  return (
    <PanelFrame
      icon={icon}
      kind={title === id ? label : `${label} ${id}`}
      title={title}
      openCount={openCount}
      actions={
        <>
          {canRun && (
            <IconButton icon="play" label={`Run up to ${id}`} onClick={() => onDialog({ kind: 'run', isPart: true })} />
          )}
          {canEdit && <IconButton icon="trash" label={`Delete ${id}`} onClick={() => deleteSelected(session)} />}
        </>
      }
    >
      <fieldset disabled={!canEdit} className="min-w-0">
        <legend className="sr-only">Settings of {id}</legend>
        <NodeProblems id={id} problems={own} />
        <PanelSection>
          <NameField id={id} />
          {node.type !== 'SPLITTER' && (
            <TextField
              label="Label"
              hint="A label other than the kind of node makes its output a named output of the workflow."
              value={node.meta?.label ?? ''}
              dir="auto"
              onChange={(value) =>
                edit.update('label', (old) => ({
                  ...old,
                  meta: withField(old.meta ?? {}, 'label', value === '' ? undefined : value),
                }))
              }
              onBlur={edit.close}
              autoComplete="off"
            />
          )}
        </PanelSection>
        {node.type === 'SCRIPT' && <ScriptSection {...section} />}
        {node.type === 'TOOL' && <CommandSection {...section} />}
        {node.type === 'APPROVAL' && <ApprovalSection {...section} />}
        {node.type === 'WORKFLOW' && <ModuleSection {...section} />}
        <InputsSection {...section} />
        {(node.type === 'SCRIPT' || node.type === 'TOOL') && <DistributionSection {...section} />}
        {(node.type === 'SCRIPT' || node.type === 'TOOL') && <RunSection {...section} />}
        {node.type !== 'SPLITTER' && <FailureSection {...section} />}
      </fieldset>
      {(node.type === 'SCRIPT' || node.type === 'TOOL' || node.type === 'WORKFLOW') && (
        <TablesSection id={id} node={node} />
      )}
    </PanelFrame>
  );
}

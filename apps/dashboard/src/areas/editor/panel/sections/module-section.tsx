import { TextField } from '../../../../ui/field.js';
import { useNodeEdit } from '../fields/use-node-edit.js';
import { PanelSection } from '../panel-frame.js';
import { errorOf, type SectionProps } from '../section-props.js';

/** The workflow that a module runs. */
export function ModuleSection({ id, node, problems }: SectionProps) {
  const edit = useNodeEdit(id);
  return (
    <PanelSection title="Module">
      <TextField
        label="Workflow"
        hint="The id of a version, or the id of a workflow of this space, whose latest version each run uses."
        error={errorOf({ id, problems }, 'workflow')}
        value={node.workflow ?? ''}
        onChange={(value) => edit.set('workflow', value === '' ? undefined : value)}
        onBlur={edit.close}
        className="font-mono text-xs!"
        spellCheck={false}
      />
    </PanelSection>
  );
}

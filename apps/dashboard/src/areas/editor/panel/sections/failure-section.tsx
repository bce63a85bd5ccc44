import { SelectField, TextField } from '../../../../ui/field.js';
import { useNodeEdit } from '../fields/use-node-edit.js';
import { PanelSection } from '../panel-frame.js';
import { errorOf, type SectionProps } from '../section-props.js';

/** When the node runs, and what its failure means. */
export function FailureSection({ id, node, problems }: SectionProps) {
  const edit = useNodeEdit(id);
  return (
    <PanelSection title="Condition and failure">
      <TextField
        label="Runs only if"
        hint="For example nodes.scan-1.lines > 0, or inputs.mode = 'full scan'."
        error={errorOf({ id, problems }, 'when')}
        value={node.when ?? ''}
        maxLength={1_000}
        onChange={(value) => edit.set('when', value === '' ? undefined : value)}
        onBlur={edit.close}
        className="font-mono text-xs!"
        spellCheck={false}
        autoComplete="off"
      />
      <SelectField
        label="If it fails"
        value={node.on_error ?? 'fail'}
        error={errorOf({ id, problems }, 'on_error')}
        options={[
          { value: 'fail', label: 'The run fails' },
          { value: 'continue', label: 'Continue without it' },
          { value: 'empty', label: 'Continue with an empty output' },
        ]}
        onChange={(value) => edit.set('on_error', value === 'fail' ? undefined : value)}
      />
      {node.on_error !== undefined && node.on_error !== null && node.on_error !== 'fail' && (
        <TextField
          label="At most"
          hint="Failed children as a number such as 5, or a share such as 10%. Empty: any number."
          error={errorOf({ id, problems }, 'fail_threshold')}
          value={String(node.fail_threshold ?? '')}
          onChange={(value) =>
            edit.set('fail_threshold', value === '' ? undefined : /^\d+$/.test(value) ? Number(value) : value)
          }
          onBlur={edit.close}
        />
      )}
    </PanelSection>
  );
}

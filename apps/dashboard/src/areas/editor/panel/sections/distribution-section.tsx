import { SelectField } from '../../../../ui/field.js';
import { NumberField } from '../../../../ui/number-field.js';
import { listInputs } from '../../ports/list-ports.js';
import { useNodeEdit } from '../fields/use-node-edit.js';
import { PanelSection } from '../panel-frame.js';
import { errorOf, type SectionProps } from '../section-props.js';

type Mode = 'line' | 'batch' | 'file';

/** Whether the node runs once, or once for each part of an input. */
export function DistributionSection({ id, node, problems }: SectionProps) {
  const edit = useNodeEdit(id);
  const { distribution } = node;
  const inputs = listInputs(node).filter(({ name }) => node.inputs?.[name]?.type !== 'BOOLEAN');
  const error = errorOf({ id, problems }, 'distribution');
  const setMode = (mode: Mode | 'once') => {
    if (mode === 'once') return edit.set('distribution', undefined);
    const input = distribution?.input ?? inputs[0]?.name ?? 'file';
    edit.set('distribution', { input, mode, ...(mode === 'batch' && { splits: distribution?.splits ?? 8 }) });
  };
  return (
    <PanelSection title="Distribution">
      <SelectField<Mode | 'once'>
        label="Runs"
        value={distribution?.mode ?? 'once'}
        error={distribution ? error : undefined}
        options={[
          { value: 'once', label: 'Once' },
          { value: 'line', label: 'Once for each line' },
          { value: 'batch', label: 'Once for each group of lines' },
          { value: 'file', label: 'Once for each file of a folder' },
        ]}
        onChange={setMode}
      />
      {distribution && (
        <SelectField
          label="Of the input"
          value={distribution.input}
          options={inputs.map(({ name }) => ({ value: name, label: name }))}
          onChange={(input) => edit.set('distribution', { ...distribution, input })}
        />
      )}
      {distribution?.mode === 'batch' && (
        <NumberField
          label="Groups"
          value={distribution.splits}
          min={1}
          max={1_000_000}
          onChange={(splits) => splits !== undefined && edit.set('distribution', { ...distribution, splits })}
          onBlur={edit.close}
        />
      )}
    </PanelSection>
  );
}

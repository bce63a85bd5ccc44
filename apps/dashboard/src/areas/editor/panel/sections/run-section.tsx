import { Checkbox, SelectField } from '../../../../ui/field.js';
import { NumberField } from '../../../../ui/number-field.js';
import { useNodeEdit } from '../fields/use-node-edit.js';
import { PanelSection } from '../panel-frame.js';
import { errorOf, type SectionProps } from '../section-props.js';

const MAX_TIMEOUT_SECONDS = 1_209_600;

/** Where and how often the node's command runs. */
export function RunSection({ id, node, problems }: SectionProps) {
  const edit = useNodeEdit(id);
  return (
    <PanelSection title="Execution">
      <div className="grid grid-cols-2 gap-3">
        <NumberField
          label="Retries"
          placeholder="0"
          value={node.retries}
          min={0}
          max={100}
          error={errorOf({ id, problems }, 'retries')}
          onChange={(value) => edit.set('retries', value)}
          onBlur={edit.close}
        />
        <NumberField
          label="Timeout (seconds)"
          placeholder="None"
          value={node.timeout_seconds}
          min={1}
          max={MAX_TIMEOUT_SECONDS}
          error={errorOf({ id, problems }, 'timeout_seconds')}
          onChange={(value) => edit.set('timeout_seconds', value)}
          onBlur={edit.close}
        />
      </div>
      <SelectField
        label="Machine"
        value={node.bee_type ?? 'small'}
        options={[
          { value: 'small', label: 'Small' },
          { value: 'medium', label: 'Medium' },
          { value: 'large', label: 'Large' },
        ]}
        onChange={(value) => edit.set('bee_type', value)}
      />
      <Checkbox
        label="Reuse the result of an earlier run if the inputs are the same"
        checked={node.cache === true}
        onChange={(value) => edit.set('cache', value || undefined)}
      />
      <Checkbox
        label="Access to the network"
        checked={node.network === true}
        onChange={(value) => edit.set('network', value || undefined)}
      />
    </PanelSection>
  );
}

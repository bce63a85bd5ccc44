import { SelectField, TextAreaField } from '../../../../ui/field.js';
import { NumberField } from '../../../../ui/number-field.js';
import { useNodeEdit, withField } from '../fields/use-node-edit.js';
import { PanelSection } from '../panel-frame.js';
import { errorOf, type SectionProps } from '../section-props.js';

const SECONDS_PER_HOUR = 3_600;
const MAX_EXPIRY_HOURS = 8_760;

/** What a person decides, and who may. */
export function ApprovalSection({ id, node, problems }: SectionProps) {
  const edit = useNodeEdit(id);
  const { message, role, expires_after_seconds: expiry, on_expiry: decision } = node.approval ?? {};
  const set = (field: string, value: unknown) =>
    edit.update(`approval ${field}`, (old) => ({ ...old, approval: withField(old.approval ?? {}, field, value) }));
  return (
    <PanelSection title="Approval">
      <TextAreaField
        label="Question"
        error={errorOf({ id, problems }, 'approval')}
        value={message ?? ''}
        maxLength={2_000}
        dir="auto"
        onChange={(value) => set('message', value === '' ? undefined : value)}
        onBlur={edit.close}
      />
      <SelectField
        label="Who may decide"
        value={role ?? 'execute'}
        options={[
          { value: 'execute', label: 'Everyone who may run the workflow' },
          { value: 'write', label: 'Everyone who may edit it' },
          { value: 'owner', label: 'Owners of the space' },
        ]}
        onChange={(value) => set('role', value)}
      />
      <NumberField
        label="Expires after (hours)"
        placeholder="Never"
        value={typeof expiry === 'number' ? Math.max(1, Math.round(expiry / SECONDS_PER_HOUR)) : undefined}
        min={1}
        max={MAX_EXPIRY_HOURS}
        onChange={(hours) => set('expires_after_seconds', hours === undefined ? undefined : hours * SECONDS_PER_HOUR)}
        onBlur={edit.close}
      />
      {typeof expiry === 'number' && (
        <SelectField
          label="Decision after that"
          value={decision ?? 'reject'}
          options={[
            { value: 'reject', label: 'Rejected' },
            { value: 'approve', label: 'Approved' },
          ]}
          onChange={(value) => set('on_expiry', value)}
        />
      )}
    </PanelSection>
  );
}

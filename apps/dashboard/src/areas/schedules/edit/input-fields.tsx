import { SelectField, TextField } from '../../../ui/field.js';
import type { WorkflowInput } from './list-inputs.js';

type Values = Record<string, string | boolean>;

interface InputFieldsProps {
  inputs: readonly WorkflowInput[];
  /** Inputs whose stored values are secret. */
  masked: readonly string[];
  values: Values;
  onChange: (values: Values) => void;
}

/** The inputs of the runs. A field that stays empty leaves the workflow's own value. */
export function InputFields({ inputs, masked, values, onChange }: InputFieldsProps) {
  if (inputs.length === 0) return null;
  const set = (key: string, value: string | boolean) => onChange({ ...values, [key]: value });
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line px-3 pt-1 pb-3">
      <legend className="px-1 text-sm font-medium">Inputs</legend>
      {inputs.map((input) => (
        <InputField
          key={input.key}
          input={input}
          isMasked={masked.includes(input.key)}
          value={values[input.key] ?? ''}
          onChange={(value) => set(input.key, value)}
        />
      ))}
    </fieldset>
  );
}

interface InputFieldProps {
  input: WorkflowInput;
  isMasked: boolean;
  value: string | boolean;
  onChange: (value: string | boolean) => void;
}

const EXAMPLES = {
  FILE: 'millrace://file/lists/hosts.txt or a web address',
  FOLDER: 'millrace://file/lists or the address of a git repository',
};

function InputField({ input: { key, type, value: own }, isMasked, value, onChange }: InputFieldProps) {
  const label = <span dir="auto">{key}</span>;
  if (type === 'BOOLEAN')
    return (
      <SelectField
        label={label}
        value={value === '' ? '' : value === true || value === 'true' ? 'true' : 'false'}
        options={[
          { value: '', label: own === undefined ? 'As in the workflow' : `As in the workflow (${own ? 'yes' : 'no'})` },
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        onChange={(chosen) => onChange(chosen === '' ? '' : chosen === 'true')}
      />
    );
  const example = type === 'STRING' ? undefined : EXAMPLES[type];
  return (
    <TextField
      label={label}
      hint={isMasked ? 'The stored value is secret and cannot be read. Enter it again to keep it.' : example}
      placeholder={own === undefined ? '' : String(own)}
      value={String(value)}
      onChange={onChange}
      autoComplete="off"
      dir="auto"
    />
  );
}

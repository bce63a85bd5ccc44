import { Checkbox, TextField } from '../../../../ui/field.js';
import { NumberField } from '../../../../ui/number-field.js';
import type { NodeRecord } from '../../document/document.js';

type Input = NonNullable<NodeRecord['inputs']>[string];

interface InputSettingsProps {
  name: string;
  input: Input;
  onChange: (fields: Partial<Input>) => void;
  onBlur: () => void;
}

const MAX_ORDER = 10_000;

/** How an input becomes part of the command line. */
export const InputSettings = ({ name, input, onChange, onBlur }: InputSettingsProps) => (
  <div
    role="group"
    aria-label={`Settings of the input ${name}`}
    className="mt-1 mb-2 flex flex-col gap-3 border-l-2 border-line py-1 pl-3"
  >
    <div className="grid grid-cols-2 gap-3">
      <TextField
        label="Flag"
        hint={input.type === 'BOOLEAN' ? 'Passed if the value is true.' : 'Comes before the value.'}
        value={input.command ?? ''}
        placeholder="None"
        onChange={(command) => onChange({ command: command === '' ? null : command })}
        onBlur={onBlur}
        className="font-mono text-xs!"
        autoComplete="off"
        spellCheck={false}
      />
      <NumberField
        label="Order"
        hint="Lower numbers come first."
        placeholder="0"
        value={input.order}
        min={0}
        max={MAX_ORDER}
        onChange={(order) => onChange({ order: order ?? null })}
        onBlur={onBlur}
      />
    </div>
    {input.type !== 'BOOLEAN' && (
      <Checkbox
        label="Accepts any number of connections, including none"
        checked={input.multi === true}
        onChange={(multi) => onChange({ multi: multi || null })}
      />
    )}
    <TextField
      label="Description"
      value={input.description ?? ''}
      dir="auto"
      onChange={(description) => onChange({ description: description === '' ? null : description })}
      onBlur={onBlur}
      autoComplete="off"
    />
  </div>
);

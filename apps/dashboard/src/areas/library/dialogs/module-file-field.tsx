import { TextAreaField } from '../../../ui/field.js';
import { FileButton } from '../../../ui/file-button.js';

interface ModuleFileFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** The text of a module file, or a file of the device. */
export const ModuleFileField = ({ value, onChange }: ModuleFileFieldProps) => (
  <>
    <FileButton label="Open a file…" accept=".yaml,.yml,.json" onFile={async (file) => onChange(await file.text())} />
    <TextAreaField
      label="Module file (YAML)"
      hint="The same format as the built-in modules have: a tool has command, a script has script and script_type."
      value={value}
      onChange={onChange}
      rows={16}
      spellCheck={false}
      required
      className="font-mono text-xs"
    />
  </>
);

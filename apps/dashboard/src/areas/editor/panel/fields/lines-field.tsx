import { useState } from 'react';
import { TextAreaField } from '../../../../ui/field.js';

interface LinesFieldProps {
  label: string;
  hint: string;
  error?: string | undefined;
  value: readonly (string | number | boolean)[] | null | undefined;
  onChange: (value: string[] | undefined) => void;
  onBlur?: () => void;
}

/** Words, one in each line. A list with a word of several lines can be read here, and edited as YAML only. */
export function LinesField({ value, hint, onChange, ...field }: LinesFieldProps) {
  const words = (value ?? []).map(String);
  const stored = words.join('\n');
  const [text, setText] = useState(stored);
  // Undo, or another part of the editor, has changed it.
  const shown = readLines(text).join('\n') === stored ? text : stored;
  const isEditable = !words.some((word) => word.includes('\n'));
  return (
    <TextAreaField
      {...field}
      hint={isEditable ? hint : 'A word has several lines: edit it as YAML.'}
      value={shown}
      rows={Math.min(Math.max(shown.split('\n').length, 2), 8)}
      readOnly={!isEditable}
      onChange={(entered) => {
        setText(entered);
        const lines = readLines(entered);
        onChange(lines.length > 0 ? lines : undefined);
      }}
      className="font-mono text-xs!"
      spellCheck={false}
    />
  );
}

/** The last line is empty while the next word is begun. */
const readLines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

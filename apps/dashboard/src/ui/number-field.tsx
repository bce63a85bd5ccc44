import { useState } from 'react';
import { TextField } from './field.js';

interface NumberFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: number | null | undefined;
  placeholder?: string;
  disabled?: boolean;
  min: number;
  max: number;
  onChange: (value: number | undefined) => void;
  onBlur?: () => void;
}

/** A whole number, or nothing. What is no such number stays in the field with its error, and is not stored. */
export function NumberField({ value, min, max, error, onChange, ...field }: NumberFieldProps) {
  const stored = value === null || value === undefined ? '' : String(value);
  const [text, setText] = useState(stored);
  const [shown, setShown] = useState(stored);
  // Undo, or the YAML view, has changed it.
  if (shown !== stored) {
    setShown(stored);
    if (Number(text) !== value) setText(stored);
  }
  const isValid = (entered: string) =>
    entered === '' || (/^-?\d+$/.test(entered) && Number(entered) >= min && Number(entered) <= max);
  const change = (entered: string) => {
    setText(entered);
    if (isValid(entered)) onChange(entered === '' ? undefined : Number(entered));
  };
  return (
    <TextField
      {...field}
      inputMode="numeric"
      value={text}
      error={isValid(text) ? error : `A whole number from ${min} to ${max}.`}
      onChange={change}
      autoComplete="off"
    />
  );
}

import { useEffect, useRef, useState } from 'react';
import { TextField } from './field.js';
import { type NumberLimits, readNumber } from './read-number.js';

interface NumberFieldProps extends NumberLimits {
  label: string;
  hint?: string;
  error?: string | undefined;
  value: number | null | undefined;
  placeholder?: string;
  disabled?: boolean;
  /** Whether an empty field is an error. */
  required?: boolean;
  onChange: (value: number | undefined) => void;
  onBlur?: () => void;
}

/**
 * A whole number, or nothing. Any other text stays in the field with its error, and the value is again the one that the field had
 * when it got the focus: for "5.000.000" it is not 5. Its form cannot be submitted meanwhile.
 */
export function NumberField({ value, min, max, required, error, onChange, ...field }: NumberFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const limits = { min, max };
  const stored = value === null || value === undefined ? '' : String(value);
  const [text, setText] = useState(stored);
  const [shown, setShown] = useState(stored);
  const former = useRef(value);
  // Undo, or the YAML view, has changed it.
  if (shown !== stored) {
    setShown(stored);
    if (readNumber(text, limits) !== (value ?? undefined)) setText(stored);
  }
  const isInvalid = readNumber(text, limits) === null || (required && text === '');
  const problem = isInvalid ? `A whole number from ${min} to ${max}.` : undefined;
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);
  const change = (entered: string) => {
    setText(entered);
    const number = readNumber(entered, limits);
    if (number !== null) return onChange(number);
    const restored = former.current ?? undefined;
    if (restored === (value ?? undefined)) return;
    // Without this, the change would replace the text.
    setShown(restored === undefined ? '' : String(restored));
    onChange(restored);
  };
  return (
    <TextField
      {...field}
      ref={input}
      inputMode="numeric"
      value={text}
      error={problem ?? error}
      onChange={change}
      onFocus={() => {
        former.current = value;
      }}
      autoComplete="off"
      aria-required={required}
    />
  );
}

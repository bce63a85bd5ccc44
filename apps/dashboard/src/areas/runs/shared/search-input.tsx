import { useEffect, useRef, useState } from 'react';
import { INPUT_CLASS } from '../../../ui/field.js';
import { Icon } from '../../../ui/icon.js';

const DELAY_MS = 200;

interface SearchInputProps {
  label: string;
  value: string;
  /** Called a moment after the last key press. */
  onChange: (value: string) => void;
  className?: string;
}

export function SearchInput({ label, value, onChange, className = '' }: SearchInputProps) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = text;
      onChange(text);
    }, DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <div className={`relative ${className}`}>
      <Icon name="search" className="pointer-events-none absolute top-2 left-2.5 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={`${INPUT_CLASS} pl-8`}
      />
    </div>
  );
}

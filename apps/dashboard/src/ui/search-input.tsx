import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../keyboard/shortcuts.js';
import { INPUT_CLASS } from './field.js';
import { Icon } from './icon.js';

interface SearchInputProps {
  label: string;
  value: string;
  /** Called when the user has paused. */
  onChange: (value: string) => void;
  className?: string;
  /** For a search field that a dialog begins with. */
  autoFocus?: boolean;
}

const PAUSE_MS = 200;

/** A search field. `/` focuses it; Escape clears it. */
export function SearchInput({ label, value, onChange, className = '', autoFocus = false }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  }, [onChange]);
  useEffect(() => {
    // The value that was reported arrives here a moment later, when the user may have typed more.
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = text;
      report.current(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
    // A page that renders all the time has another `onChange` each time, which must not begin the pause again.
  }, [text]);
  useShortcuts([{ keys: '/', label, run: () => input.current?.focus() }]);
  return (
    <div className={`relative ${className}`}>
      <Icon name="search" className="pointer-events-none absolute top-2 left-2.5 text-muted" />
      <input
        ref={input}
        type="search"
        autoFocus={autoFocus}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          reported.current = '';
          setText('');
          onChange('');
        }}
        className={`${INPUT_CLASS} pl-8 [&::-webkit-search-cancel-button]:hidden`}
      />
    </div>
  );
}

import { Select } from './field.js';

interface FilterSelectProps<T extends string> {
  /** For screen readers. */
  label: string;
  /** The first option, which filters nothing, such as "All states". */
  all: string;
  value: T | undefined;
  options: readonly { value: T; label: string }[];
  /** Gets undefined if nothing is filtered. */
  onChange: (value: T | undefined) => void;
  className?: string;
}

/** A select in a row of filters. */
export const FilterSelect = <T extends string>({
  label,
  all,
  value,
  options,
  onChange,
  className = '',
}: FilterSelectProps<T>) => (
  <Select
    aria-label={label}
    className={`w-auto! ${className}`}
    value={value ?? ''}
    options={[{ value: '', label: all }, ...options]}
    onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
  />
);

import { type ComponentProps, type ReactNode, useId } from 'react';

export const INPUT_CLASS =
  'h-8 w-full rounded-md border border-line-strong bg-raised px-2.5 text-sm text-ink ' +
  'hover:border-muted aria-invalid:border-failed disabled:opacity-60';

interface FieldProps {
  label: ReactNode;
  /** What is accepted, shown below the input. */
  hint?: ReactNode;
  /** What is wrong with the value. */
  error?: string | undefined;
  /** Makes the input, with the attributes that connect it to its label, hint and error. */
  children: (attributes: FieldAttributes) => ReactNode;
}

export interface FieldAttributes {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

/** A label with its input, a hint and an error. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const attributes: FieldAttributes = {
    id,
    ...(described && { 'aria-describedby': described }),
    ...(error && { 'aria-invalid': true }),
  };
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(attributes)}
      {error && (
        <p id={`${id}-error`} className="wrap-text text-xs text-failed" role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'children'> &
  Pick<FieldProps, 'label' | 'hint' | 'error'> & { onChange: (value: string) => void };

export function TextField({ label, hint, error, onChange, className = '', ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <input
          {...input}
          {...attributes}
          onChange={(event) => onChange(event.target.value)}
          className={`${INPUT_CLASS} ${className}`}
        />
      )}
    </Field>
  );
}

type TextAreaFieldProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'children'> &
  Pick<FieldProps, 'label' | 'hint' | 'error'> & { onChange: (value: string) => void };

export function TextAreaField({
  label,
  hint,
  error,
  onChange,
  className = '',
  rows = 3,
  ...input
}: TextAreaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <textarea
          {...input}
          {...attributes}
          rows={rows}
          onChange={(event) => onChange(event.target.value)}
          className={`${INPUT_CLASS} h-auto py-1.5 ${className}`}
        />
      )}
    </Field>
  );
}

type SelectFieldProps<T extends string> = Pick<FieldProps, 'label' | 'hint' | 'error'> & {
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  disabled?: boolean;
};

export function SelectField<T extends string>({ label, hint, error, ...select }: SelectFieldProps<T>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <Select {...select} {...attributes} />}
    </Field>
  );
}

type SelectProps<T extends string> = Omit<ComponentProps<'select'>, 'onChange' | 'value'> &
  Pick<SelectFieldProps<T>, 'value' | 'options' | 'onChange'>;

export function Select<T extends string>({ value, options, onChange, className = '', ...rest }: SelectProps<T>) {
  return (
    <select
      {...rest}
      value={value}
      onChange={(event) => onChange(event.target.value as T)}
      className={`${INPUT_CLASS} ${className}`}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Checkbox({ label, checked, onChange, disabled }: CheckboxProps) {
  return (
    <label className="flex items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-(--accent-9)"
      />
      {label}
    </label>
  );
}

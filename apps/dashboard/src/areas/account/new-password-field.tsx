import { TextField } from '../../ui/field.js';

interface NewPasswordFieldProps {
  value: string;
  onChange: (value: string) => void;
  label?: string;
  error?: string | undefined;
}

export const NewPasswordField = ({ value, onChange, label = 'Password', error }: NewPasswordFieldProps) => (
  <TextField
    label={label}
    type="password"
    hint="10 to 128 characters."
    value={value}
    onChange={onChange}
    error={error}
    autoComplete="new-password"
    minLength={10}
    maxLength={128}
    required
  />
);

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { MillraceError, type User } from '@millrace/client';
import { client } from '../../api/client.js';
import { beginSession } from '../../api/session.js';
import { Button } from '../../ui/button.js';
import { ErrorNote } from '../../ui/error-note.js';
import { TextField } from '../../ui/field.js';

interface LoginFormProps {
  /** The address to begin with. */
  email?: string;
  onDone: (user: User) => void;
}

/** Six digits are a code of the authenticator app; anything else is a recovery code. */
function toFactor(text: string): { code: string } | { recovery_code: string } {
  const compact = text.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(compact) ? { code: compact } : { recovery_code: text.trim() };
}

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof MillraceError && codes.includes(error.code);

/** Email and password, then the second factor if the account has one. */
export function LoginForm({ email: firstEmail = '', onDone }: LoginFormProps) {
  const [email, setEmail] = useState(firstEmail);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const login = useMutation({
    mutationFn: () => {
      const factor = needsCode ? { mfa_code: toFactor(code) } : {};
      return beginSession(() => client.sessions.login({ email: email.trim(), password, ...factor }));
    },
    onSuccess: onDone,
    onError: (error) => {
      if (hasCode(error, 'mfa_required')) setNeedsCode(true);
    },
  });
  const shownError = hasCode(login.error, 'mfa_required') ? null : login.error;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!login.isPending) login.mutate();
      }}
    >
      {needsCode ? (
        <TextField
          key="code"
          label="Authentication code"
          hint="Six digits from your authenticator app, or a recovery code."
          value={code}
          onChange={setCode}
          autoComplete="one-time-code"
          autoFocus
          required
        />
      ) : (
        <>
          <TextField
            label="Email"
            type="email"
            value={email}
            onChange={setEmail}
            autoComplete="username"
            autoFocus={firstEmail === ''}
            required
          />
          <TextField
            label="Password"
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            autoFocus={firstEmail !== ''}
            required
          />
        </>
      )}
      {shownError && <ErrorNote error={shownError} className="mt-0" />}
      <Button type="submit" look="primary" isPending={login.isPending}>
        {needsCode ? 'Continue' : 'Sign in'}
      </Button>
      {needsCode && (
        <Button
          look="quiet"
          onClick={() => {
            setNeedsCode(false);
            setCode('');
            login.reset();
          }}
        >
          Back
        </Button>
      )}
    </form>
  );
}

import { z } from 'zod';
import { email } from '@millrace/contracts/auth/credentials';
import type { signInWithGoogle } from '@millrace/contracts/auth/google';
import { toErrorDetails, ValidationError } from '@millrace/contracts/kit/api-error';
import { text } from '@millrace/contracts/kit/fields';
import type { Input } from '@millrace/contracts/kit/operation';

const profile = z.object({ subject: text(255, 1), email, name: text(255) });
export type GoogleProfile = z.output<typeof profile>;

/** Parses the profile that the provider sent. @throws ValidationError if it cannot be stored */
export function readProfile(body: Input<typeof signInWithGoogle>['body']): GoogleProfile {
  const parsed = profile.safeParse(body);
  if (!parsed.success) throw new ValidationError(toErrorDetails(parsed.error, 'body'));
  return { ...parsed.data, name: parsed.data.name.trim() || parsed.data.email };
}

import { PermanentFailure } from '@millrace/messaging/permanent-failure';

interface SmtpError {
  code?: string;
  responseCode?: number;
  command?: string;
}

/** "Authentication required", "mechanism too weak", "credentials invalid", "encryption required" (RFC 4954, 6). */
const ABOUT_SIGN_IN = [530, 534, 535, 538];

/**
 * What a failed delivery means for the job. A refusal (5xx) is about this mail and stands; later (4xx), silence, and what
 * is about our own sign-in, which the operator can mend, is tried again. Servers repeat addresses in what they answer, so
 * neither that answer nor the error itself goes on, only its codes.
 * @param what the mail, in words that a log may hold
 */
export function judgeSmtpFailure(error: unknown, what: string): Error {
  const { code, responseCode, command } = error as SmtpError;
  const codes = [responseCode, code, command && `at ${command}`].filter(Boolean).join(' ') || 'unknown failure';
  const isRefused = responseCode !== undefined && responseCode >= 500 && !ABOUT_SIGN_IN.includes(responseCode);
  const isImpossible = responseCode === undefined && code === 'EENVELOPE';
  if (isRefused || isImpossible) return new PermanentFailure(`${what} was refused for good: ${codes}`);
  return new Error(`${what} could not be handed over yet: ${codes}`);
}

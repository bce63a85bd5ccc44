import { PermanentFailureError } from '@millrace/messaging/jobs/permanent-failure-error';
import { RefusedAddress } from './rejected-address-error.js';

interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
}

/** Commands that are answered with what the server thinks of this mail; before them it speaks of us. */
const ABOUT_MAIL = ['RCPT TO', 'DATA'];
/** Of the enhanced codes, "security or policy": such as that we are on a list, or may not relay (RFC 3463, 3.8). */
const ABOUT_US = /^5\.7\./;
/** Wanted sign-in, as some servers answer a recipient (RFC 4954, 6). */
const SIGN_IN_WANTED = 530;
/** "Mailbox unavailable", "user not local", "mailbox name not allowed" (RFC 5321, 4.2.3). */
const ABOUT_ADDRESS = [550, 551, 553];
/** Of the enhanced codes, "bad destination" in all its forms and "mailbox disabled" (RFC 3463, 3.2 and 3.3). */
const NOBODY_THERE = /^5\.(1\.[1-6]|1\.10|2\.1)$/;

/**
 * What a failed delivery means for the job. A refusal (5xx) of the recipient or of the text is about this mail and stands;
 * later (4xx), silence, and what is about us, which the operator can mend, is tried again. Servers repeat addresses in what they answer, so
 * neither that answer nor the error itself goes on, only its codes.
 * @param what the mail, in words that a log may hold
 */
export function judgeSmtpFailure(error: unknown, what: string): Error {
  const { code, responseCode, response = '', command } = error as SmtpError;
  const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  const answer = [responseCode, enhanced].filter(Boolean).join(' ');
  const codes = [answer, code, command && `at ${command}`].filter(Boolean).join(' ') || 'unknown failure';
  const isRefused =
    responseCode !== undefined &&
    responseCode >= 500 &&
    responseCode !== SIGN_IN_WANTED &&
    ABOUT_MAIL.includes(command ?? '') &&
    !ABOUT_US.test(enhanced ?? '');
  const isImpossible = responseCode === undefined && code === 'EENVELOPE';
  const refusal = `${what} was refused for good: ${codes}`;
  if (isRefused && isAboutAddress(responseCode, enhanced, command)) return new RefusedAddress(refusal, answer);
  if (isRefused || isImpossible) return new PermanentFailureError(refusal);
  return new Error(`${what} could not be handed over yet: ${codes}`);
}

/**
 * Whether the recipient was refused. The same 550 says that our own address is on some list (5.7.1), which must not end
 * the mails to everybody, so the enhanced code decides where there is one; the bare one counts in answer to the address.
 */
const isAboutAddress = (responseCode: number, enhanced?: string, command?: string): boolean =>
  enhanced === undefined ? command === 'RCPT TO' && ABOUT_ADDRESS.includes(responseCode) : NOBODY_THERE.test(enhanced);

import { PermanentFailureError } from '@millrace/messaging/jobs/job-errors';

interface SmtpError {
  code?: string;
  responseCode?: number;
  response?: string;
  command?: string;
}

/** Commands whose response is about this mail; earlier responses are about the sending server. */
const MAIL_COMMANDS = ['RCPT TO', 'DATA'];
/** Enhanced codes for "security or policy", such as a block list or refused relaying (RFC 3463, 3.8). */
const POLICY_CODE = /^5\.7\./;
/** "Authentication required", which some servers send in response to a recipient (RFC 4954, 6). */
const AUTHENTICATION_REQUIRED = 530;
/** "Mailbox unavailable", "user not local", "mailbox name not allowed" (RFC 5321, 4.2.3). */
const ADDRESS_CODES = [550, 551, 553];
/** Enhanced codes for a bad destination in all its forms and a disabled mailbox (RFC 3463, 3.2 and 3.3). */
const BAD_DESTINATION_CODE = /^5\.(1\.[1-6]|1\.10|2\.1)$/;

/**
 * Decides whether a failed delivery is final. A rejection (5xx) of the recipient or the content is final. Temporary
 * rejections (4xx), timeouts and rejections of the sending server, which the operator can fix, are retried. Servers repeat
 * addresses in their responses, so the returned error contains only the codes.
 * @param description the mail, without addresses, for logs
 */
export function classifySmtpFailure(error: unknown, description: string): Error {
  const { code, responseCode, response = '', command } = error as SmtpError;
  const [, enhanced] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  const smtpCodes = [responseCode, enhanced].filter(Boolean).join(' ');
  const codes = [smtpCodes, code, command && `at ${command}`].filter(Boolean).join(' ') || 'unknown failure';
  const isRejected =
    responseCode !== undefined &&
    responseCode >= 500 &&
    responseCode !== AUTHENTICATION_REQUIRED &&
    MAIL_COMMANDS.includes(command ?? '') &&
    !POLICY_CODE.test(enhanced ?? '');
  const isImpossible = responseCode === undefined && code === 'EENVELOPE';
  const rejection = `${description} was rejected permanently: ${codes}`;
  if (isRejected && isAboutAddress(responseCode, enhanced, command))
    return new RejectedAddressError(rejection, smtpCodes);
  if (isRejected || isImpossible) return new PermanentFailureError(rejection);
  return new Error(`${description} could not be delivered yet: ${codes}`);
}

/**
 * Whether the recipient's address was rejected. A 550 can also mean that the sending server is on a block list (5.7.1),
 * which must not end the mails to all users. So the enhanced code decides if there is one; otherwise the plain code counts
 * only in response to the recipient.
 */
const isAboutAddress = (responseCode: number, enhanced?: string, command?: string): boolean =>
  enhanced === undefined
    ? command === 'RCPT TO' && ADDRESS_CODES.includes(responseCode)
    : BAD_DESTINATION_CODE.test(enhanced);

/** The mail server rejected the address permanently: further mails to it would fail, too. */
export class RejectedAddressError extends PermanentFailureError {
  constructor(
    message: string,
    /** Codes of the server's response, such as `550 5.1.1`. */
    readonly codes: string,
  ) {
    super(message);
  }
}

import { PermanentFailureError } from '@millrace/messaging/jobs/permanent-failure-error';

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

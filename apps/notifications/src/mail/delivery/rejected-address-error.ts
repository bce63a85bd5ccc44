import { PermanentFailureError } from '@millrace/messaging/jobs/permanent-failure-error';

/** A mail server says that an address is nobody's, or takes nothing: another mail to it will fare no better. */
export class RefusedAddress extends PermanentFailureError {
  constructor(
    message: string,
    /** Of the server's answer, such as `550 5.1.1`. */
    readonly codes: string,
  ) {
    super(message);
  }
}

import { ApiError } from '@millrace/contracts/kit/api-error';

/** An error that counts against the limits on sign-in, because the client may be guessing. */
export class WrongGuessError extends ApiError {}

import { ApiError } from '@millrace/contracts/kit/api-error';

/** An error that counts against the limits on sign-in, for what was shown may have been guessed. */
export class WrongGuess extends ApiError {}

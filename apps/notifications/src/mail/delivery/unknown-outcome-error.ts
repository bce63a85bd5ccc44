/** All of a mail was sent, but the server did not confirm it: it may have accepted the mail, or still accept it. */
export class UnknownOutcomeError extends Error {}

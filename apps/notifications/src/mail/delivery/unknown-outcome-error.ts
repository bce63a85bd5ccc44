/** All of a mail went out and no answer came: the mail server may have taken it, or still take it. */
export class UnknownFate extends Error {}

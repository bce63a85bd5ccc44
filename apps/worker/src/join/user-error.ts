/** A problem that the message explains completely, so no stack is shown. */
export class UserError extends Error {}

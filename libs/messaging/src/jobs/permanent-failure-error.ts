import { UnrecoverableError } from 'bullmq';

/** Thrown by a `@JobProcessor` method: the job fails without further attempts. */
export class PermanentFailureError extends UnrecoverableError {}

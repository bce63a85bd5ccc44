import { UnrecoverableError } from 'bullmq';

/** Thrown by a method that `@Processes` marks: the job is over, however many tries it had left. */
export class PermanentFailureError extends UnrecoverableError {}

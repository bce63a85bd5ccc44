import { SetMetadata } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';

export const JOB_METADATA = Symbol('job');

type Processor<J extends JobType> = (payload: Payload<J>) => Promise<void>;

/** Marks a method that processes a job. A failed job is retried as declared, so the method must be idempotent. */
export function JobProcessor<J extends JobType>(job: J) {
  return <T extends Processor<J>>(target: object, key: string, descriptor: TypedPropertyDescriptor<T>): void => {
    SetMetadata(JOB_METADATA, job)(target, key, descriptor);
  };
}

import { SetMetadata } from '@nestjs/common';
import type { Payload } from '@millrace/contracts/kit/event';
import type { JobType } from '@millrace/contracts/kit/job';

export const JOB = Symbol('job');

type Processor<J extends JobType> = (payload: Payload<J>) => Promise<void>;

/** Does a job. Where it fails it is tried again as the job declares; the method must bear repetition. */
export function JobProcessor<J extends JobType>(job: J) {
  return <T extends Processor<J>>(target: object, key: string, descriptor: TypedPropertyDescriptor<T>): void => {
    SetMetadata(JOB, job)(target, key, descriptor);
  };
}

import { SetMetadata } from '@nestjs/common';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { AnyOperation, Input, Operation, Result } from '@millrace/contracts/kit/operation';
import type { Context } from './context.js';

export const OPERATION_METADATA = Symbol('operation');

type Handler<O extends Operation> = (input: Input<O>, context: Context) => Promise<Result<O>> | Result<O>;

/** A method that handles an operation. */
export interface HandledOperation {
  operation: AnyOperation;
  /** Name of a method of the same class that is called first, also if the response to a repeated request is already stored. */
  authorize: string | undefined;
}

/**
 * Marks a controller method that handles an operation. It takes the parsed input and the context, and returns the response.
 * @param options `authorize`: name of a method of the same class that throws if the request may not be handled
 */
export function OperationHandler<O extends Operation>(operation: O, { authorize }: { authorize?: string } = {}) {
  return <T extends Handler<O>>(target: object, key: string, descriptor: TypedPropertyDescriptor<T>): void => {
    SetMetadata(OPERATION_METADATA, { operation, authorize } satisfies HandledOperation)(target, key, descriptor);
  };
}

/** The method that `authorize` names. */
export type Authorize = (envelope: Envelope) => Promise<void>;

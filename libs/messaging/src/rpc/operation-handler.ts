import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import {
  subjectOf,
  type AnyOperation,
  type Input,
  type Operation,
  type Result,
} from '@millrace/contracts/kit/operation';
import { Context } from './context.js';

export const OPERATION_METADATA = Symbol('operation');

type Handler<O extends Operation> = (input: Input<O>, context: Context) => Promise<Result<O>> | Result<O>;

const RequestInput = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToRpc().getData<Envelope>(),
);

const RequestContext = createParamDecorator(
  (operation: AnyOperation, context: ExecutionContext) =>
    new Context(operation, context.switchToRpc().getData<Envelope>()),
);

/** Marks a controller method that handles an operation. It takes the parsed input and the context, and returns the response. */
export function OperationHandler<O extends Operation>(operation: O) {
  return <T extends Handler<O>>(target: object, key: string, descriptor: TypedPropertyDescriptor<T>): void => {
    RequestInput()(target, key, 0);
    RequestContext(operation)(target, key, 1);
    MessagePattern(subjectOf(operation))(target, key, descriptor);
    SetMetadata(OPERATION_METADATA, operation)(target, key, descriptor);
  };
}

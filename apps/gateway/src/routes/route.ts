import { applyDecorators, RequestMapping, RequestMethod, SetMetadata, UseGuards } from '@nestjs/common';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { OPERATION_METADATA, OperationGuard } from '../access/operation.guard.js';

/** The path of an operation in the router's syntax: `/spaces/{id}` becomes `/spaces/:id`. */
export const routePathOf = (operation: AnyOperation): string => operation.path.replace(/\{(\w+)\}/g, ':$1');

/** Registers a controller method for an operation's HTTP method and path, behind the guard that checks its access. */
export const Route = (operation: AnyOperation): MethodDecorator =>
  applyDecorators(
    RequestMapping({ path: routePathOf(operation), method: RequestMethod[operation.method] }),
    SetMetadata(OPERATION_METADATA, operation),
    UseGuards(OperationGuard),
  );

import { applyDecorators, RequestMapping, RequestMethod, SetMetadata, UseGuards } from '@nestjs/common';
import type { AnyOperation } from '@millrace/contracts/kit/operation';
import { OPERATION, OperationGuard } from '../access/operation.guard.js';

/** `/spaces/{id}` as the router writes it: `/spaces/:id`. */
export const routeOf = (operation: AnyOperation): string => operation.path.replace(/\{(\w+)\}/g, ':$1');

/** Puts a method at an operation's method and path, behind the guard that its access asks for. */
export const Serves = (operation: AnyOperation): MethodDecorator =>
  applyDecorators(
    RequestMapping({ path: routeOf(operation), method: RequestMethod[operation.method] }),
    SetMetadata(OPERATION, operation),
    UseGuards(OperationGuard),
  );

import { Catch, Logger, type ArgumentsHost, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';

/** Makes an answer of whatever a handler threw: an ApiError as it is, anything else without internals. */
@Catch()
export class OperationErrorFilter implements RpcExceptionFilter {
  private readonly logger = new Logger(OperationErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    if (error instanceof ApiError) return throwError(() => error.toBody());
    const { requestId } = host.switchToRpc().getData<Partial<Envelope>>();
    this.logger.error({ message: 'A handler failed', requestId, error });
    return throwError(() => new ApiError('internal_error', 'Internal error').toBody());
  }
}

import { Catch, Logger, type ArgumentsHost, type RpcExceptionFilter } from '@nestjs/common';
import { throwError, type Observable } from 'rxjs';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import { explainOutage } from './explain-outage.js';

/** What pg says where all connections are taken for too long, and Prisma where its transaction has waited for one. */
const NO_CONNECTION = ['timeout exceeded when trying to connect', 'Unable to start a transaction in the given time'];

/** Makes an answer of whatever a handler threw: an ApiError as it is, anything else without internals. */
@Catch()
export class OperationErrorFilter implements RpcExceptionFilter {
  private readonly logger = new Logger(OperationErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    if (error instanceof ApiError) return throwError(() => error.toBody());
    if (isBusy(error)) return throwError(() => tooBusy().toBody());
    const { requestId } = host.switchToRpc().getData<Partial<Envelope>>();
    const outage = explainOutage(error);
    if (outage) {
      this.logger.warn({ message: 'A dependency failed', code: outage.code, requestId, error });
      return throwError(() => outage.toBody());
    }
    this.logger.error({ message: 'A handler failed', requestId, error });
    return throwError(() => new ApiError('internal_error', 'Internal error').toBody());
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && NO_CONNECTION.some((words) => error.message.includes(words));

const tooBusy = (): ApiError =>
  new ApiError('rate_limited', 'The service has too much to do; try again in a moment', { retry_after: 5 });

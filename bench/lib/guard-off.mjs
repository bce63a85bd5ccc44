import { OperationGuard } from '../../apps/gateway/dist/access/operation.guard.js';

/**
 * Loaded before the gateway by `bench guard`: everybody is the caller in BENCH_CALLER, unasked and unlimited. What a
 * request costs then is what it costs without authentication.
 */
const caller = JSON.parse(process.env.BENCH_CALLER ?? '');

OperationGuard.prototype.canActivate = async function (context) {
  context.switchToHttp().getRequest().user = caller;
  return true;
};

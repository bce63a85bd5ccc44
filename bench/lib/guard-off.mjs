import { OperationGuard } from '../../apps/gateway/dist/access/operation.guard.js';

/**
 * The workload `guard` loads this file before the gateway. Every request then has the caller in BENCH_CALLER, without
 * authentication and without limits, so that a request costs only what follows the guard.
 */
const caller = JSON.parse(process.env.BENCH_CALLER ?? '');

OperationGuard.prototype.canActivate = async function (context) {
  context.switchToHttp().getRequest().user = caller;
  return true;
};

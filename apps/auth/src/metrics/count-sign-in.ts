import { ApiError } from '@millrace/contracts/kit/api-error';
import { createCounter } from '@millrace/telemetry/metrics/registry';

const signIns = createCounter('millrace_sign_ins_total', 'Sign-ins by method and outcome', ['method', 'outcome']);

/** Errors by which a client of a device grant learns that it has to wait. They are no end of a sign-in. */
const PENDING_CODES = ['authorization_pending', 'slow_down'];

/** Counts the end of a sign-in: `succeeded`, the code of the ApiError, or `failed` because of the platform. */
export async function countSignIn<T>(method: 'password' | 'google' | 'device', signIn: () => Promise<T>): Promise<T> {
  try {
    const result = await signIn();
    signIns.inc({ method, outcome: 'succeeded' });
    return result;
  } catch (error) {
    const outcome = error instanceof ApiError ? error.code : 'failed';
    if (!PENDING_CODES.includes(outcome)) signIns.inc({ method, outcome });
    throw error;
  }
}

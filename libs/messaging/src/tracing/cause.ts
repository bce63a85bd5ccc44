import type { Cause } from '@millrace/persistence/outbox';
import { currentTraceparent, withoutSpan } from '@millrace/telemetry/tracing/spans';
import { currentRequestId, withoutLogFields } from './log-fields.js';

/** The cause of what the current work does: the request that is being handled, and the current span. */
export function currentCause(): Cause {
  const [requestId, traceparent] = [currentRequestId(), currentTraceparent()];
  return { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) };
}

/** Runs work that serves several requests, or none, so that the request that started it does not count as its cause. */
export const withoutCause = <T>(work: () => T): T => withoutLogFields(() => withoutSpan(work));

/** Encodes a cause for a job of BullMQ, which has one text for it. */
export const encodeCause = ({ requestId, traceparent }: Cause): string | undefined =>
  traceparent === undefined ? requestId : JSON.stringify({ requestId, traceparent });

/** Decodes `encodeCause`. A text that is no object is the id of a request. */
export function decodeCause(text: string | undefined): Cause {
  if (text === undefined) return {};
  return text.startsWith('{') ? (JSON.parse(text) as Cause) : { requestId: text };
}

import type { Cause } from '@millrace/persistence/outbox';
import { currentTraceparent } from '@millrace/telemetry/tracing/spans';
import { currentRequestId } from './log-fields.js';

/** The cause of what the current work does: the request that is being handled, and the current span. */
export function currentCause(): Cause {
  const [requestId, traceparent] = [currentRequestId(), currentTraceparent()];
  return { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) };
}

/** Encodes a cause for a job of BullMQ, which has one text for it. */
export const encodeCause = ({ requestId, traceparent }: Cause): string | undefined =>
  traceparent === undefined ? requestId : JSON.stringify({ requestId, traceparent });

/** Decodes `encodeCause`. A text that is no object is the id of a request. */
export function decodeCause(text: string | undefined): Cause {
  if (text === undefined) return {};
  return text.startsWith('{') ? (JSON.parse(text) as Cause) : { requestId: text };
}

import type { Logger } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Cause } from '@millrace/persistence/outbox';
import { createHistogram, type Histogram } from '@millrace/telemetry/metrics/registry';
import { withSpan } from '@millrace/telemetry/tracing/spans';
import { withLogFields } from './log-fields.js';

/** The label of a job is not `job`, because Prometheus gives that one to the target. */
const DURATIONS: Record<'operation' | 'job', { label: string; histogram: Histogram }> = {
  operation: {
    label: 'operation',
    histogram: createHistogram('millrace_operation_duration_seconds', 'Duration of handled operations', [
      'operation',
      'outcome',
    ]),
  },
  job: {
    label: 'kind',
    histogram: createHistogram('millrace_job_duration_seconds', 'Duration of processed jobs', ['kind', 'outcome']),
  },
};

/** One request or job that a service handles. */
export interface Work {
  kind: keyof typeof DURATIONS;
  /** Of the operation or job, as declared. */
  name: string;
  cause: Cause;
  /** Further fields of the log line; their values must not be secret. */
  fields?: Record<string, unknown>;
}

const MESSAGES = { operation: 'Operation handled', job: 'Job processed' };

/**
 * Runs a handler in a span of the trace that caused it, with log lines that have the id of the request. Measures how long it
 * takes and how it ends: `succeeded`, the code of an ApiError, or `failed`; level debug logs that. The handler that fails
 * logs the error itself, or its caller does.
 */
export function handleWork<T>(logger: Logger, work: Work, handle: () => Promise<T>): Promise<T> {
  const { kind, name, cause } = work;
  const span = {
    kind: kind === 'operation' ? ('server' as const) : ('consumer' as const),
    causes: [cause.traceparent],
    attributes: { [`millrace.${kind}`]: name },
  };
  return withLogFields({ requestId: cause.requestId }, () =>
    // Probes begin no trace.
    name.endsWith('.health.check')
      ? measure(logger, work, handle)
      : withSpan(`${kind} ${name}`, span, () => measure(logger, work, handle)),
  );
}

async function measure<T>(logger: Logger, { kind, name, fields }: Work, handle: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const recordEnd = (outcome: string) => {
    const durationMs = elapsedMs(startedAt);
    const { label, histogram } = DURATIONS[kind];
    histogram.observe({ [label]: name, outcome }, durationMs / 1000);
    logger.debug({ message: MESSAGES[kind], [kind]: name, ...fields, durationMs, outcome });
  };
  try {
    const result = await handle();
    recordEnd('succeeded');
    return result;
  } catch (error) {
    recordEnd(outcomeOf(error));
    throw error;
  }
}

/** Milliseconds since a `performance.now()`, with one decimal. */
export const elapsedMs = (startedAt: number): number => Math.round((performance.now() - startedAt) * 10) / 10;

const outcomeOf = (error: unknown): string => (error instanceof ApiError ? error.code : 'failed');

import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
} from '@opentelemetry/api';

/** Spans are created only if an exporter was started; without one, `withSpan` costs a comparison. */
let isTracing = false;

/** Called once by `startTracing`. */
export function enableSpans(): void {
  isTracing = true;
}

const KINDS = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

export interface SpanOptions {
  kind: keyof typeof KINDS;
  /**
   * Traceparents (W3C Trace Context) of the work that caused this: one becomes the parent, several become links. Absent: the
   * current span is the parent.
   */
  causes?: readonly (string | undefined)[];
  attributes?: Attributes;
}

/** A span whose work is spread over callbacks. */
export interface OpenSpan {
  traceId: string;
  /** Runs a part of the work as part of the span. */
  run<T>(work: () => T): T;
  /** @param failure marks the span as failed: the error, or a name of the failure */
  end(attributes?: Attributes, failure?: unknown): void;
}

/** Starts a span, which the caller ends. @returns undefined without tracing */
export function openSpan(name: string, { kind, causes, attributes = {} }: SpanOptions): OpenSpan | undefined {
  if (!isTracing) return undefined;
  const { parent, links } = readCauses(causes);
  const span = trace.getTracer('millrace').startSpan(name, { kind: KINDS[kind], attributes, links }, parent);
  const own = trace.setSpan(parent, span);
  return {
    traceId: span.spanContext().traceId,
    run: (work) => context.with(own, work),
    end: (final = {}, failure) => {
      span.setAttributes(final);
      // Without the message, which may contain data of users.
      if (failure !== undefined)
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', nameOf(failure));
      span.end();
    },
  };
}

/**
 * Runs work in a span. It is part of the trace of its cause; without a cause and a current span it begins a trace. An error
 * marks the span as failed.
 */
export async function withSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = openSpan(name, options);
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({}, error);
    throw error;
  }
}

/** Runs work in a span of its own if it is part of a trace. */
export const withInnerSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  isTracing && trace.getActiveSpan() ? withSpan(name, { kind: 'internal', attributes }, work) : work();

/** Runs work that belongs to no trace, or to several. */
export const withoutSpan = <T>(work: () => T): T => (isTracing ? context.with(ROOT_CONTEXT, work) : work());

/** Adds attributes to the current span, if there is one. */
export function addSpanAttributes(attributes: Attributes): void {
  if (isTracing) trace.getActiveSpan()?.setAttributes(attributes);
}

/** The `traceparent` of the current span, to pass on to the work that it causes; undefined without tracing. */
export function currentTraceparent(): string | undefined {
  if (!isTracing) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The id of the current trace, for log lines; undefined without tracing. */
export function currentTraceId(): string | undefined {
  if (!isTracing) return undefined;
  const spanContext = trace.getActiveSpan()?.spanContext();
  return spanContext && isSpanContextValid(spanContext) ? spanContext.traceId : undefined;
}

function readCauses(causes: SpanOptions['causes']): { parent: Context; links: Link[] } {
  if (!causes) return { parent: context.active(), links: [] };
  const distinct = [...new Set(causes.filter((cause) => cause !== undefined))];
  const contexts = distinct.map((traceparent) => propagation.extract(ROOT_CONTEXT, { traceparent }));
  const [parent] = contexts;
  if (contexts.length === 1 && parent) return { parent, links: [] };
  const links = contexts.flatMap((one) => trace.getSpanContext(one) ?? []).map((one) => ({ context: one }));
  return { parent: ROOT_CONTEXT, links };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : 'Error';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

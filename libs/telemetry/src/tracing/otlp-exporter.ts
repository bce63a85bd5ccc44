import { hostname } from 'node:os';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/** Spans that wait for the exporter. A burst above it loses spans, never memory. */
const MAX_QUEUED_SPANS = 8_192;
const EXPORT_INTERVAL_MS = 2_000;
/** A shutdown does not wait longer for a collector that does not respond. */
const SHUTDOWN_TIMEOUT_MS = 2_000;

/** Registers the SDK of OpenTelemetry. The exporter reads `OTEL_EXPORTER_OTLP_…` itself. */
export function startExporter(service: string, sampledShare: number): () => Promise<void> {
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': service,
        'service.instance.id': `${hostname()}-${process.pid}`,
        'host.name': hostname(),
        'process.pid': process.pid,
      }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        maxQueueSize: MAX_QUEUED_SPANS,
        scheduledDelayMillis: EXPORT_INTERVAL_MS,
      }),
    ],
  });
  const contextManager = new AsyncLocalStorageContextManager();
  contextManager.enable();
  context.setGlobalContextManager(contextManager);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    const timeout = new Promise<void>((resolve) => setTimeout(resolve, SHUTDOWN_TIMEOUT_MS).unref());
    await Promise.race([provider.shutdown().catch(() => undefined), timeout]);
  };
}

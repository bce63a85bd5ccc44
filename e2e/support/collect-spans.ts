import { json } from 'node:stream/consumers';
import { serveHttp } from '@millrace/testkit/serve-http';

/** A span as a collector receives it (OTLP over HTTP, as JSON). */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  links?: { traceId: string; spanId: string }[];
  attributes: { key: string; value: Record<string, unknown> }[];
  status?: { code?: number };
}

interface ExportRequest {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

/** A collector of traces, like Jaeger or the OpenTelemetry Collector. */
export interface SpanCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  spansOf(trace: string): ReceivedSpan[];
  /** Everything that arrived, to search it for secrets. */
  text(): string;
  close(): Promise<void>;
}

export async function collectSpans(): Promise<SpanCollector> {
  const spans: ReceivedSpan[] = [];
  const server = await serveHttp((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as ExportRequest;
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  return {
    url: server.url,
    spansOf: (trace) => spans.filter(({ traceId }) => traceId === trace),
    text: () => JSON.stringify(spans),
    close: () => server.close(),
  };
}

import { diag, DiagLogLevel } from '@opentelemetry/api';
import { z } from 'zod';
import { enableSpans } from './spans.js';

/** The SDK of OpenTelemetry 3 needs it. */
const MIN_NODE = [22, 15] as const;

/**
 * The standard settings of OpenTelemetry ("OpenTelemetry environment variable specification") that choose the exporter. The
 * exporter reads further ones itself, such as `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export const tracingEnv = z.object({
  /** Base URL of a collector that receives OTLP over HTTP. Without it there are no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** URL for traces only, with its path. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Share of traces to keep, from 0 to 1. A request with a `traceparent` keeps the decision of its sender. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** Name of the service in traces. */
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
});

/** Sends what was recorded, and records no more. */
export type StopTracing = () => Promise<void>;

/**
 * Starts to record spans and to send them to the collector of the environment. Does nothing if the environment names none.
 * @param service default name of the service, such as `millrace-runs`
 * @param onWarning receives problems of the exporter
 */
export async function startTracing(
  service: string,
  source: Record<string, string | undefined>,
  onWarning: (message: string) => void,
): Promise<StopTracing> {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  // An invalid value is reported with the others of the process's environment.
  const env = tracingEnv.safeParse(set).data;
  if (!env?.OTEL_EXPORTER_OTLP_ENDPOINT && !env?.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return () => Promise.resolve();
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
    onWarning(`Traces are off: they need Node.js ${MIN_NODE.join('.')} or newer, and this is ${process.versions.node}`);
    return () => Promise.resolve();
  }
  const warn = (message: string) => onWarning(`Traces: ${message}`);
  const none = () => undefined;
  diag.setLogger({ error: warn, warn, info: none, debug: none, verbose: none }, { logLevel: DiagLogLevel.WARN });
  // Loaded only now, because the SDK takes memory and time at start.
  const { startExporter } = await import('./otlp-exporter.js');
  const stop = startExporter(env.OTEL_SERVICE_NAME ?? service, env.OTEL_TRACES_SAMPLER_ARG);
  enableSpans();
  return stop;
}

/** The image's health check: exit code 0 if the service in this container is ready. */
const response = await fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/health/ready`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);

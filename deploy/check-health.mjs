/**
 * The health check of a container: exit code 0 if its service is healthy. The argument names the probe.
 *
 * `live`, the image's own check, fails only if the process no longer responds: Docker Swarm and similar tools restart a
 * container whose check fails, and a restart does not help against a database that is down. `ready`, the check of
 * docker-compose.yml, also fails if something is away that the service needs: Compose restarts nothing, but waits for it
 * (`depends_on`, `up --wait`), and `docker ps` shows it.
 */
const [probe = 'live'] = process.argv.slice(2);
const response = await fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/health/${probe}`, {
  signal: AbortSignal.timeout(10_000),
}).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);

/** The services, in the order in which status shows them. Each is `apps/<name>` and has a NATS user of that name. */
export const SERVICES = ['gateway', 'auth', 'workflows', 'runs', 'worker', 'datasets', 'billing', 'notifications'];

/** Services with tables, each with a Postgres role. The gateway is reachable from outside, and the worker runs users' code. */
export const DATABASE_SERVICES = SERVICES.filter((name) => name !== 'gateway' && name !== 'worker');

/** The servers that `npm run up` starts, each with the variable that sets the address of an external one instead. */
export const SERVERS = Object.freeze({ postgres: 'DATABASE_URL', redis: 'REDIS_URL', nats: 'NATS_URL' });

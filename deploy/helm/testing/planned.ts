/**
 * What the chart uses, and the services of this commit do not have yet. The tests fail if anything here exists, so each entry
 * is removed with the change that adds it.
 */
export const PLANNED_VARIABLES = [
  // TLS to the servers.
  ...['DATABASE_CA_FILE', 'DATABASE_CERT_FILE', 'DATABASE_KEY_FILE'],
  ...['REDIS_CA_FILE', 'REDIS_CERT_FILE', 'REDIS_KEY_FILE', 'NATS_CA_FILE', 'NATS_CERT_FILE', 'NATS_KEY_FILE'],
];

/** `{"waiting":n,"oldestSeconds":s,"busy":n}` on the health port of the runs service. */
export const PLANNED_PATHS = ['/scaling/fleets/default'];

import { DATABASE_SERVICES, SERVICES } from '../../../scripts/lib/services.mjs';

/** Variables that come from the shell of the operator, by the services that get them. Missing ones are left out. */
const FROM_ENVIRONMENT = /** @type {Record<string, string[]>} */ ({
  AWS_ACCESS_KEY_ID: ['gateway', 'runs', 'datasets', 'worker'],
  AWS_SECRET_ACCESS_KEY: ['gateway', 'runs', 'datasets', 'worker'],
  GOOGLE_CLIENT_SECRET: ['gateway'],
  STRIPE_SECRET_KEY: ['billing'],
  STRIPE_WEBHOOK_SECRET: ['billing'],
  SMTP_URL: ['notifications'],
  WORKER_JOIN_ACCESS_KEY_ID: ['auth'],
  WORKER_JOIN_SECRET_ACCESS_KEY: ['auth'],
});

/**
 * @typedef {object} SecretOptions
 * @property {string} namespace of the services
 * @property {string} workerNamespace
 * @property {string} serversNamespace of Postgres, Redis and NATS
 * @property {string} postgres host, port, database and parameters, such as `postgres-rw.servers:5432/millrace?sslmode=require`
 * @property {string} redis URL without a password
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * The Secrets of an installation: one for each service with what it needs and nothing else, one for migrations, and one for
 * each server.
 * @param {import('./load-cluster-secrets.mjs').ClusterSecrets} secrets
 * @param {SecretOptions} options
 */
export function listSecrets(secrets, options) {
  const { namespace, workerNamespace, serversNamespace } = options;
  const services = SERVICES.map((service) =>
    makeSecret(
      `millrace-${service}`,
      service === 'worker' ? workerNamespace : namespace,
      serviceData(service, secrets, options),
    ),
  );
  const owner = { username: 'millrace', password: secrets.postgres };
  return [
    ...services,
    makeSecret('millrace-migrate', namespace, { DATABASE_URL: databaseUrl('millrace', secrets.postgres, options) }),
    // The form that CloudNativePG takes for the owner of a database.
    makeSecret('millrace-postgres', serversNamespace, owner, 'kubernetes.io/basic-auth'),
    makeSecret('millrace-redis', serversNamespace, { password: secrets.redis }),
    makeSecret('millrace-nats', serversNamespace, natsVariables(secrets)),
  ];
}

/**
 * @param {string} service
 * @param {import('./load-cluster-secrets.mjs').ClusterSecrets} secrets
 * @param {SecretOptions} options
 */
function serviceData(service, secrets, options) {
  const redis = new URL(options.redis);
  redis.password = secrets.redis;
  const given = Object.entries(FROM_ENVIRONMENT).flatMap(([name, services]) => {
    const value = options.env[name];
    return value && services.includes(service) ? [[name, value]] : [];
  });
  return {
    REDIS_URL: redis.href,
    NATS_PASSWORD: secrets.nats[service] ?? '',
    // It connects workers on other machines to NATS.
    ...(service === 'gateway' && { [natsVariable('worker')]: secrets.nats['worker'] ?? '' }),
    ...(DATABASE_SERVICES.includes(service) && {
      DATABASE_URL: databaseUrl(`millrace_${service}`, secrets.database[service] ?? '', options),
    }),
    ...(service !== 'worker' && { MILLRACE_SECRET: secrets.millrace }),
    ...(service === 'workflows' && { 'master-keys.json': secrets.masterKeys }),
    ...Object.fromEntries(given),
  };
}

/**
 * @param {string} user
 * @param {string} password
 * @param {SecretOptions} options
 */
const databaseUrl = (user, password, { postgres }) => `postgresql://${user}:${password}@${postgres}`;

/**
 * The password of each user as NATS reads variables: a value of its configuration, so with quotes. Without them, a password
 * that begins with a digit would be a number.
 * @param {import('./load-cluster-secrets.mjs').ClusterSecrets} secrets
 */
const natsVariables = ({ nats }) =>
  Object.fromEntries(SERVICES.map((service) => [natsVariable(service), JSON.stringify(nats[service])]));

/** @param {string} service */
export const natsVariable = (service) => `NATS_PASSWORD_${service.toUpperCase()}`;

/**
 * @param {string} name
 * @param {string} namespace
 * @param {Record<string, string>} stringData
 */
function makeSecret(name, namespace, stringData, type = 'Opaque') {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, type, stringData };
}

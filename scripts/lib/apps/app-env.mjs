import { databaseLogins, loginVariable } from '../servers/database-logins.mjs';
import { DATABASE_SERVICES, SERVICES } from '../services.mjs';
import { MAIL_SETTINGS, mailEnv } from './mail-env.mjs';

/** Only the process that serves HTTP requests gets these settings. */
const GATEWAY_ONLY = [
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'RATE_LIMIT_PER_MINUTE',
  'WORKER_RATE_LIMIT_PER_MINUTE',
  'CORS_ORIGINS',
  'TRUST_PROXY',
  'ACCESS_LOG',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'GOOGLE_ISSUER',
];

/** These keys give access to the objects of all vaults, so only the services that read and write objects get them. */
const STORAGE_SETTINGS = [
  'STORAGE_URL',
  'STORAGE_CACHE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];
/** Files for connections to Postgres, of services with tables. */
const DATABASE_FILES = ['DATABASE_CA_FILE', 'DATABASE_CERT_FILE', 'DATABASE_KEY_FILE'];
/** With these settings a service can charge and refund on behalf of the instance. */
const PAYMENT_SETTINGS = ['PAYMENT_PROVIDER', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_BASE'];
/** Addresses and keys for workers on other machines. */
const JOIN_SETTINGS = [
  'WORKER_JOIN_REDIS_URL',
  'WORKER_JOIN_REDIS_CA_FILE',
  'WORKER_JOIN_STORAGE_URL',
  'WORKER_JOIN_ACCESS_KEY_ID',
  'WORKER_JOIN_SECRET_ACCESS_KEY',
];
const WITH_OBJECTS = ['gateway', 'runs', 'worker', 'datasets'];

/**
 * @typedef {object} AppContext
 * @property {NodeJS.ProcessEnv} env the user's environment
 * @property {import('../servers/start-servers.mjs').ServerUrls} urls
 * @property {import('../servers/load-secrets.mjs').Secrets} secrets
 * @property {import('../layout.mjs').Layout} layout
 * @property {import('./listen-address.mjs').Listen} listen
 */

/**
 * The environment of one service: the user's environment, the addresses of the servers, and the service's own passwords.
 * It does not get the other passwords, so that a service cannot act as another one.
 * @param {string} service
 * @param {AppContext} context
 * @returns {NodeJS.ProcessEnv}
 */
export function serviceEnv(service, context) {
  const password = natsPassword(service, context);
  const { MILLRACE_SECRET, ...env } = commonEnv(context, service === 'gateway');
  return {
    ...env,
    // The worker runs users' code, which cannot steal a secret that the worker does not have.
    ...(service !== 'worker' && { MILLRACE_SECRET }),
    // These services write links to the gateway into mails.
    ...(['auth', 'notifications'].includes(service) && { PUBLIC_URL: context.env.PUBLIC_URL || context.listen.base }),
    // It connects workers on other machines to NATS as the service `worker`.
    ...(service === 'gateway' && workerPassword(context)),
    // It gives workers on other machines their credentials.
    ...(service === 'auth' && pickSet(context.env, JOIN_SETTINGS)),
    // Auth reports how users may sign in.
    ...(service === 'auth' && pickSet(context.env, ['GOOGLE_CLIENT_ID'])),
    ...(DATABASE_SERVICES.includes(service) && databaseEnv(service, context)),
    ...(service === 'notifications' && mailEnv(context)),
    ...(WITH_OBJECTS.includes(service) && pickSet(context.env, STORAGE_SETTINGS)),
    ...(service === 'workflows' && keyEnv(context)),
    ...(service === 'billing' && pickSet(context.env, PAYMENT_SETTINGS)),
    ...(password && { NATS_PASSWORD: password }),
    ...healthEnv(context.env, service),
  };
}

/**
 * The environment of the process that runs all services. It has the passwords of each, because each service has its own
 * connections.
 * @param {AppContext} context
 * @param {string[]} services those that run in it
 * @returns {NodeJS.ProcessEnv}
 */
export function singleEnv(context, services = SERVICES) {
  const passwords = SERVICES.map((service) => [passwordVariable(service), natsPassword(service, context)]);
  return {
    ...commonEnv(context, true),
    ...mailEnv(context),
    ...pickSet(context.env, STORAGE_SETTINGS),
    ...pickSet(context.env, PAYMENT_SETTINGS),
    ...pickSet(context.env, JOIN_SETTINGS),
    ...keyEnv(context),
    ...loginsOf(context),
    ...pickSet(context.env, DATABASE_FILES),
    ...Object.fromEntries(passwords.filter(([, password]) => password)),
    ...pickSet(context.env, ['SEPARATE_SERVICES']),
    // A separate service has its own port, so this process has that of the first service in it.
    ...healthEnv(context.env, services[0] ?? ''),
  };
}

/**
 * @param {AppContext} context
 * @param {boolean} servesHttp
 * @returns {NodeJS.ProcessEnv}
 */
function commonEnv({ env, urls, secrets, layout, listen }, servesHttp) {
  return {
    ...sharedEnv(env),
    NODE_ENV: env.NODE_ENV || 'production',
    MILLRACE_DATA_DIR: layout.dir,
    REDIS_URL: urls.redis,
    NATS_URL: urls.nats,
    MILLRACE_SECRET: env.MILLRACE_SECRET || secrets.millrace,
    STORAGE_DIR: env.STORAGE_DIR || layout.objects,
    WORK_DIR: env.WORK_DIR || layout.work,
    ...(servesHttp && { ...pickSet(env, GATEWAY_ONLY), HOST: listen.host, PORT: String(listen.port) }),
  };
}

/** @param {AppContext} context */
function loginsOf({ env, urls, secrets }) {
  return databaseLogins({ env, ownerUrl: urls.postgres, secrets });
}

/**
 * @param {string} service
 * @param {AppContext} context
 * @returns {NodeJS.ProcessEnv}
 */
function databaseEnv(service, context) {
  return { DATABASE_URL: loginsOf(context)[loginVariable(service)], ...pickSet(context.env, DATABASE_FILES) };
}

/**
 * The processes share a machine, so `HEALTH_PORT` is the port of the first one, and each other process has the next.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} service
 * @returns {NodeJS.ProcessEnv}
 */
function healthEnv({ HEALTH_PORT }, service) {
  return HEALTH_PORT ? { HEALTH_PORT: String(Number(HEALTH_PORT) + SERVICES.indexOf(service)) } : {};
}

/**
 * The file of the master keys of secret variables, for the workflows service only.
 * @param {AppContext} context
 * @returns {NodeJS.ProcessEnv}
 */
function keyEnv({ env, layout }) {
  return { SECRETS_KEY_FILE: env.SECRETS_KEY_FILE || layout.masterKeys };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} names
 * @returns {NodeJS.ProcessEnv} the variables of these names that are set and not empty
 */
function pickSet(env, names) {
  return Object.fromEntries(names.filter((name) => env[name]).map((name) => [name, env[name]]));
}

/**
 * @param {string} service
 * @param {AppContext} context
 */
function natsPassword(service, { env, secrets }) {
  if (!env.NATS_URL) return secrets.nats[service];
  return env[passwordVariable(service)] ?? env.NATS_PASSWORD;
}

/**
 * @param {AppContext} context
 * @returns {NodeJS.ProcessEnv}
 */
function workerPassword(context) {
  const password = natsPassword('worker', context);
  return password ? { [passwordVariable('worker')]: password } : {};
}

/** @param {string} service */
function passwordVariable(service) {
  return `NATS_PASSWORD_${service.toUpperCase()}`;
}

/**
 * The user's environment without the settings for one process only, and without the variables that npm sets for scripts.
 * @param {NodeJS.ProcessEnv} env
 */
function sharedEnv(env) {
  const others = [
    ...GATEWAY_ONLY,
    ...MAIL_SETTINGS,
    ...STORAGE_SETTINGS,
    ...PAYMENT_SETTINGS,
    ...JOIN_SETTINGS,
    ...DATABASE_FILES,
    'HEALTH_PORT',
  ];
  const isOther = (/** @type {string} */ name) =>
    /^(npm_|INIT_CWD$|NATS_PASSWORD|DATABASE_URL|SECRETS_KEY_FILE$)/.test(name) || others.includes(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOther(name)));
}

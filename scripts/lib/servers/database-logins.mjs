import { DATABASE_SERVICES } from '../services.mjs';

/** @param {string} service */
export const loginVariable = (service) => `DATABASE_URL_${service.toUpperCase()}`;

/**
 * The URL with which each service signs in to Postgres, by the name of its variable: the user's own, or that of the owner with
 * the role of the service in place of the owner.
 * @param {{ env: NodeJS.ProcessEnv, ownerUrl: string, secrets: Pick<import('./load-secrets.mjs').Secrets, 'database'> }} context
 * @returns {Record<string, string>}
 */
export function databaseLogins({ env, ownerUrl, secrets }) {
  return Object.fromEntries(
    DATABASE_SERVICES.map((service) => {
      const name = loginVariable(service);
      return [name, env[name] || loginUrl(ownerUrl, service, secrets.database[service] ?? '')];
    }),
  );
}

/**
 * @param {string} ownerUrl
 * @param {string} service
 * @param {string} password
 */
function loginUrl(ownerUrl, service, password) {
  const url = new URL(ownerUrl);
  url.username = `millrace_${service}`;
  url.password = password;
  return url.href;
}

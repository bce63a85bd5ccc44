import { DATABASE_SERVICES, type DatabaseService } from './service-rights.js';

/** How a service signs in to Postgres. */
export interface ServiceLogin {
  service: DatabaseService;
  role: string;
  /** URL with the password of the role; null if `migrate` does not set a password. */
  url: string | null;
}

/** Variable of the URL with which a service signs in. */
export const loginVariable = (service: DatabaseService): string => `DATABASE_URL_${service.toUpperCase()}`;

/** Reads `DATABASE_URL_<SERVICE>` of each service. Without it, the role is `millrace_<service>`. */
export function readLogins(env: Readonly<Record<string, string | undefined>>): ServiceLogin[] {
  return DATABASE_SERVICES.map((service) => {
    const url = env[loginVariable(service)] || null;
    if (url !== null && !URL.canParse(url)) throw new Error(`${loginVariable(service)} is not a URL.`);
    const user = url === null ? '' : decodeURIComponent(new URL(url).username);
    return { service, role: user || `millrace_${service}`, url: user ? url : null };
  });
}

export const passwordOf = ({ url }: ServiceLogin): string =>
  url === null ? '' : decodeURIComponent(new URL(url).password);

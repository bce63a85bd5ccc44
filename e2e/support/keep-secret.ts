import { appendFileSync } from 'node:fs';

/** Fields of requests and answers whose text is a credential. */
const SECRET_FIELDS = new Set([
  'password',
  'new_password',
  'current_password',
  'access',
  'refresh',
  'access_token',
  'refresh_token',
  'token',
  'ticket',
  'device_code',
  'user_code',
  'secret',
  'otpauth_url',
  'recovery_code',
  'recovery_codes',
  'card_number',
]);

/** Shorter ones (codes of six digits) stand in logs by chance. */
const SHORTEST = 8;

const kept = new Set<string>();

/**
 * Notes a secret that no log may hold; `npm test` looks through all of them when the suites are done. Gives it back, so
 * that it can stand where the secret is made.
 */
export function keepSecret<T extends string>(secret: T): T {
  const file = process.env.TEST_SECRETS_FILE;
  if (file && secret.length >= SHORTEST && !kept.has(secret)) {
    kept.add(secret);
    appendFileSync(file, `${JSON.stringify(secret)}\n`, { mode: 0o600 });
  }
  return secret;
}

/** Notes every secret in a request's or an answer's JSON, by the names of its fields. */
export function keepSecretsIn(value: unknown, isSecret = false): void {
  if (typeof value === 'string') {
    if (isSecret) keepSecret(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      keepSecretsIn(part, SECRET_FIELDS.has(key) || (isSecret && Array.isArray(value)));
    }
  }
}

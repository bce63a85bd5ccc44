import { appendFileSync } from 'node:fs';

/** Fields of requests and responses whose text is a credential. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
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
  'worker_key',
  'redis_password',
  'storage_secret_key',
]);

/** Shorter secrets, such as codes of six digits, occur in logs by chance. */
const MIN_LENGTH = 8;

const recorded = new Set<string>();

/**
 * Records a secret that no log may contain. `npm test` searches all logs for it after the suites.
 * @returns the secret, so that the call can wrap the expression that makes it
 */
export function recordSecret<T extends string>(secret: T): T {
  const file = process.env.TEST_SECRETS_FILE;
  if (file && secret.length >= MIN_LENGTH && !recorded.has(secret)) {
    recorded.add(secret);
    appendFileSync(file, `${JSON.stringify(secret)}\n`, { mode: 0o600 });
  }
  return secret;
}

/** Records every secret in the JSON of a request or a response, by the names of the fields. */
export function recordSecretsIn(value: unknown, isSecret = false): void {
  if (typeof value === 'string') {
    if (isSecret) recordSecret(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      recordSecretsIn(part, SECRET_FIELDS.has(key) || (isSecret && Array.isArray(value)));
    }
  }
}

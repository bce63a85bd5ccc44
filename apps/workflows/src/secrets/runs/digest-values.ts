import { createHmac, hkdfSync } from 'node:crypto';
import type { SecretDigests } from '@millrace/contracts/workflows/secrets';

/**
 * Digests of a vault's values: equal for equal values, different in each vault, and useless without the vault's data
 * key. A new data key (`npm run secrets:rotate -- --data-keys`) changes all digests.
 * @param values by name
 */
export function digestValues(dataKey: Uint8Array, values: Record<string, string>): SecretDigests {
  const key = Buffer.from(hkdfSync('sha256', dataKey, 'millrace', 'digests of values', 32));
  const digest = (kind: string, text: string) => createHmac('sha256', key).update(`${kind}\0${text}`).digest('hex');
  const digests = Object.entries(values).map(([name, value]) => [name, digest('value', value)]);
  return { salt: digest('salt', ''), values: Object.fromEntries(digests) as Record<string, string> };
}

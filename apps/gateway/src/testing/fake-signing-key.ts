import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

const LIFETIME_SECONDS = 900;

/** A signing key for suites that fake the auth service. */
export function fakeSigningKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    /** Auth's response to `listSigningKeys`. */
    published: { keys: [{ kid: 'k', publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() }] },
    /** A session JWT as auth signs it. @param lifetime in seconds; negative for an expired one */
    access: (user: string, lifetime = LIFETIME_SECONDS): string => {
      const claims = { sub: user, sid: randomUUID(), exp: Math.floor(Date.now() / 1000) + lifetime };
      const signed = `${part({ alg: 'ES256', kid: 'k' })}.${part(claims)}`;
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}

import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

const LIFETIME_S = 900;

/** A signing key as auth has them, which are played where auth is. */
export function playKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    /** What auth answers of its keys. */
    published: { keys: [{ kid: 'k', publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() }] },
    /** A session JWT as auth signs them. @param lifetime seconds; less than 0 for one that is over */
    access: (user: string, lifetime = LIFETIME_S): string => {
      const claims = { sub: user, sid: randomUUID(), exp: Math.floor(Date.now() / 1000) + lifetime };
      const signed = `${part({ alg: 'ES256', kid: 'k' })}.${part(claims)}`;
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}

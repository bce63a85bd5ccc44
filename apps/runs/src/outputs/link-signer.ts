import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '@millrace/messaging/crypto/keyed-hash';

/** Signs links to outputs (HMAC-SHA256 over id and expiry), so that they work for some time without a token. */
export class LinkSigner {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = deriveKey(secret, 'signed links');
  }

  /** @param expires milliseconds since the epoch */
  sign(id: string, expires: number): string {
    return createHmac('sha256', this.key).update(`${id} ${expires}`).digest('base64url');
  }

  /** @param expires text of the link: only the signed spelling is valid, not `+1`, `01`, `1e3` or `0x1` */
  isValid(id: string, expires: string, signature: string): boolean {
    const end = Number(expires);
    if (!Number.isSafeInteger(end) || String(end) !== expires || end < Date.now()) return false;
    const expected = Buffer.from(this.sign(id, end));
    const actual = Buffer.from(signature);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '@millrace/messaging/crypto/derive-key';

/** Signs links to outputs (HMAC-SHA256 over id and end), so that they work for a while without a token. */
export class LinkSigner {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = deriveKey(secret, 'signed links');
  }

  /** @param expires milliseconds since the epoch */
  sign(id: string, expires: number): string {
    return createHmac('sha256', this.key).update(`${id} ${expires}`).digest('base64url');
  }

  /** @param expires as it stands in the link: only the spelling that was signed is good, not `+1`, `01`, `1e3` or `0x1` */
  isGood(id: string, expires: string, signature: string): boolean {
    const end = Number(expires);
    if (!Number.isSafeInteger(end) || String(end) !== expires || end < Date.now()) return false;
    const wanted = Buffer.from(this.sign(id, end));
    const given = Buffer.from(signature);
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  }
}

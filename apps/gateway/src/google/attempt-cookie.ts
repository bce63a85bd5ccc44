import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';

const COOKIE_NAME = 'millrace_google';
const MAX_AGE_SECONDS = 600;

const attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Local path to return to. */
  returnTo: z.string(),
  expiresAt: z.number(),
});

/** The state of a sign-in between the redirect to the provider and the return from it. */
export type SignInAttempt = Omit<z.output<typeof attempt>, 'expiresAt'>;

/**
 * Stores a sign-in attempt in the browser that began it, for ten minutes. The cookie is encrypted, because it contains the
 * secrets that tie the provider's response to the request. The browser sends it to the two sign-in paths only.
 */
export class AttemptCookie {
  private readonly cipher: SecretCipher;

  constructor(secret: string) {
    this.cipher = new SecretCipher(secret, 'google sign-in');
  }

  write(reply: FastifyReply, content: SignInAttempt): void {
    const plain = JSON.stringify({ ...content, expiresAt: Date.now() + MAX_AGE_SECONDS * 1000 });
    const value = Buffer.from(this.cipher.encrypt(plain)).toString('base64url');
    void reply.setCookie(COOKIE_NAME, value, { ...attributes(reply.request.isTls), maxAge: MAX_AGE_SECONDS });
  }

  /** Deletes the cookie from the browser. */
  clear(reply: FastifyReply): void {
    void reply.setCookie(COOKIE_NAME, '', { ...attributes(reply.request.isTls), maxAge: 0 });
  }

  /** @returns null if there is no cookie, or it was not written by this instance, or has expired */
  read({ server, headers }: FastifyRequest): SignInAttempt | null {
    const value = server.parseCookie(headers.cookie ?? '')[COOKIE_NAME];
    if (!value) return null;
    try {
      const { expiresAt, ...content } = attempt.parse(JSON.parse(this.cipher.decrypt(Buffer.from(value, 'base64url'))));
      return expiresAt > Date.now() ? content : null;
    } catch {
      return null;
    }
  }
}

/** `Lax`, because the browser returns by a link from the provider's site. */
const attributes = (secure: boolean) => ({
  path: '/api/auth/google',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure,
});

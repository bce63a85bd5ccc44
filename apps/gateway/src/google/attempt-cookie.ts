import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';

const NAME = 'millrace_google';
const SECONDS = 600;

const attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Path of ours to come back to. */
  returnTo: z.string(),
  expiresAt: z.number(),
});

/** What has to be remembered between sending somebody to the provider and their coming back. */
export type Attempt = Omit<z.output<typeof attempt>, 'expiresAt'>;

/**
 * Keeps an attempt to sign in with the browser that began it: sealed, since it holds the secrets that tie the answer to
 * the question, and good for ten minutes. It is the only cookie there is, sent to the two addresses of the attempt alone.
 */
export class AttemptCookie {
  private readonly seal: SecretCipher;

  constructor(secret: string) {
    this.seal = new SecretCipher(secret, 'google sign-in');
  }

  write(reply: FastifyReply, content: Attempt): void {
    const plain = JSON.stringify({ ...content, expiresAt: Date.now() + SECONDS * 1000 });
    const value = Buffer.from(this.seal.encrypt(plain)).toString('base64url');
    void reply.setCookie(NAME, value, { ...attributes(reply.request.isTls), maxAge: SECONDS });
  }

  /** Takes it away from the browser. */
  clear(reply: FastifyReply): void {
    void reply.setCookie(NAME, '', { ...attributes(reply.request.isTls), maxAge: 0 });
  }

  /** @returns null where there is none, or not one of ours, or its time is over */
  read({ server, headers }: FastifyRequest): Attempt | null {
    const value = server.parseCookie(headers.cookie ?? '')[NAME];
    if (!value) return null;
    try {
      const { expiresAt, ...content } = attempt.parse(JSON.parse(this.seal.decrypt(Buffer.from(value, 'base64url'))));
      return expiresAt > Date.now() ? content : null;
    } catch {
      return null;
    }
  }
}

/** Lets the gateway write cookies. They are read where one is wanted, not for each request. */
export async function takeCookies(fastify: FastifyInstance): Promise<void> {
  await fastify.register(cookie, { hook: false });
}

/** Lax, for the browser comes back by a link from the provider's site. */
const attributes = (secure: boolean) => ({
  path: '/api/auth/google',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure,
});

import { Inject, Injectable } from '@nestjs/common';
import { sendMail, type MailContent } from '@millrace/contracts/notifications/mail';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { AUTH_ENV, type AuthEnv } from '../env.js';

/** Orders mails, which go out when the transaction commits; their content is sealed on its way. */
@Injectable()
export class OrderMail {
  private readonly seal: SecretCipher;

  constructor(@Inject(AUTH_ENV) private readonly env: AuthEnv) {
    this.seal = new SecretCipher(env.MILLRACE_SECRET, 'mail');
  }

  order(tx: Transaction, content: MailContent): void {
    const sealed = Buffer.from(this.seal.encrypt(JSON.stringify(content))).toString('base64');
    tx.enqueue(sendMail, { id: newId(), sealed });
  }

  /** Address of a page for people. Never from a request's Host header: whoever asks for a mail could choose that. */
  linkTo(path: string, query: Record<string, string>): string {
    const url = new URL(`${this.env.PUBLIC_URL.replace(/\/$/, '')}${path}`);
    url.search = new URLSearchParams(query).toString();
    return url.href;
  }
}

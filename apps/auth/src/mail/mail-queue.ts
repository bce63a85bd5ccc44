import { Inject, Injectable } from '@nestjs/common';
import { sendMail, type MailContent } from '@millrace/contracts/notifications/mail';
import { SecretCipher } from '@millrace/messaging/crypto/secret-cipher';
import type { Transaction } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { AUTH_ENV, type AuthEnv } from '../env.js';

/** Enqueues mails, which are sent when the transaction commits. Their content is encrypted in the queue. */
@Injectable()
export class MailQueue {
  private readonly cipher: SecretCipher;

  constructor(@Inject(AUTH_ENV) private readonly env: AuthEnv) {
    this.cipher = new SecretCipher(env.MILLRACE_SECRET, 'mail');
  }

  enqueue(tx: Transaction, content: MailContent): void {
    const sealed = Buffer.from(this.cipher.encrypt(JSON.stringify(content))).toString('base64');
    tx.enqueue(sendMail, { id: newId(), sealed });
  }

  /** The URL of a page. Never uses the request's Host header, which the requester of a mail could choose. */
  linkTo(path: string, query: Record<string, string>): string {
    const url = new URL(`${this.env.PUBLIC_URL.replace(/\/$/, '')}${path}`);
    url.search = new URLSearchParams(query).toString();
    return url.href;
  }
}

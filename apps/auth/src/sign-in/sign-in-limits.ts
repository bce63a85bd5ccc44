import { Injectable } from '@nestjs/common';
import { ApiError } from '@millrace/contracts/kit/api-error';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { hashSecret } from '../hash-secret.js';
import { Turns } from '../turns.js';

export const SIGN_IN_WINDOW_MS = 15 * 60_000;
const MOST = { account: 5, address: 20 };

interface Limit {
  subject: string;
  most: number;
}

/** More than 5 failures at one account, or 20 from one address, within 15 minutes end the trying. */
@Injectable()
export class SignInLimits {
  private readonly turns = new Turns();

  constructor(private readonly database: Database) {}

  /**
   * Lets `verify` look at a password. Those for one account, and from one address, are looked at one after the other:
   * of a hundred guesses sent at once no more are looked at than the limit allows (and one for each further copy of
   * this service).
   * @param verify gives null where the password is wrong
   * @throws ApiError `rate_limited` where too many failures stand, this one included
   */
  async attempt<T>(email: string, address: string, verify: () => Promise<T | null>): Promise<T | null> {
    // A hash, for the email may be any text, even such as Postgres cannot hold.
    const account = { subject: `account ${hashSecret(email)}`, most: MOST.account };
    const from = { subject: `address ${hashSecret(address)}`, most: MOST.address };
    return this.turns.take(account.subject, () =>
      this.turns.take(from.subject, async () => {
        await this.refuseBeyond([account, from]);
        const found = await verify();
        if (found !== null) {
          await this.forget(account);
          return found;
        }
        await this.note([account, from]);
        await this.refuseBeyond([account, from]);
        return null;
      }),
    );
  }

  private async note(limits: Limit[]): Promise<void> {
    const data = limits.map(({ subject }) => ({ id: newId(), subject, at: new Date() }));
    await this.database.client.signInFailure.createMany({ data });
  }

  /** Who knows the password is not the one who guesses. What came from their address still counts. */
  private async forget({ subject }: Limit): Promise<void> {
    await this.database.client.signInFailure.deleteMany({ where: { subject } });
  }

  private async refuseBeyond(limits: Limit[]): Promise<void> {
    const waits = await Promise.all(limits.map((limit) => this.waitFor(limit)));
    const seconds = Math.ceil(Math.max(...waits) / 1000);
    if (seconds <= 0) return;
    throw new ApiError('rate_limited', 'Too many failed sign-ins; try again later', { retry_after: seconds });
  }

  /** Milliseconds until no more than the limit stand; 0 where that is so now. */
  private async waitFor({ subject, most }: Limit): Promise<number> {
    const now = Date.now();
    const beyond = await this.database.client.signInFailure.findFirst({
      where: { subject, at: { gt: new Date(now - SIGN_IN_WINDOW_MS) } },
      orderBy: { at: 'desc' },
      skip: most,
    });
    return beyond ? beyond.at.getTime() + SIGN_IN_WINDOW_MS - now : 0;
  }
}

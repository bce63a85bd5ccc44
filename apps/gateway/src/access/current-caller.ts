import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Caller } from '@millrace/contracts/kit/envelope';
import { ApiTokenStrategy } from './api-token.strategy.js';
import { SessionStrategy } from './session.strategy.js';

/** Who stands behind a request: as it comes in, and now, which may be long after. */
@Injectable()
export class CurrentCaller {
  constructor(
    private readonly tokens: ApiTokenStrategy,
    private readonly sessions: SessionStrategy,
  ) {}

  /** The caller, where that is known without asking anybody. */
  recall(request: FastifyRequest): Caller | undefined {
    return this.tokens.recall(request) ?? this.sessions.recall(request);
  }

  /**
   * Of a request that was let in. Costs nothing while auth vouches for what is known, else a question.
   * @throws ApiError `unauthenticated` where the credential has ended or expired; what came of a question that failed
   */
  async behind(request: FastifyRequest): Promise<Caller> {
    const known = this.recall(request);
    if (known) return known;
    const caller = (await this.tokens.lookUp(request)) ?? (await this.sessions.lookUp(request));
    if (!caller) throw new ApiError('unauthenticated', 'What this request was let in by has ended');
    return caller;
  }
}

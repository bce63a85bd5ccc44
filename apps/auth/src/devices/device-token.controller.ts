import { Controller, Inject } from '@nestjs/common';
import { deviceToken, requestDeviceCode } from '@millrace/contracts/auth/devices';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import { pagePaths } from '@millrace/contracts/kit/page-paths';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { AttemptLimits } from '../limits/attempt-limits.js';
import { deviceCodeLimit } from '../limits/limit.js';
import { countSignIn } from '../metrics/count-sign-in.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { lockUser } from '../users/lock-user.js';
import { DeviceGrantsService, GRANT_SECONDS, POLL_SECONDS, type Poll } from './device-grants.service.js';

type TokenRequest = Input<typeof deviceToken>['body'];

/** The client's side of a device grant. */
@Controller()
export class DeviceTokenController {
  constructor(
    private readonly database: Database,
    private readonly grants: DeviceGrantsService,
    private readonly sessions: SessionsService,
    private readonly limits: AttemptLimits,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  @OperationHandler(requestDeviceCode)
  async requestCode(
    { body }: Input<typeof requestDeviceCode>,
    context: Context,
  ): Promise<Result<typeof requestDeviceCode>> {
    await this.limits.admit(deviceCodeLimit(context));
    const { client } = context.envelope;
    const page = new URL(pagePaths.device, client?.origin ?? this.env.PUBLIC_URL).href;
    const origin = { client: body.client_id, address: client?.address ?? null, agent: client?.agent ?? null };
    return this.database.transaction(async (tx) => {
      const { deviceCode, userCode } = await this.grants.create(tx, origin);
      return {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${userCode}`,
        expires_in: GRANT_SECONDS,
        interval: POLL_SECONDS,
      };
    });
  }

  /** An approved grant is returned even to a client that polls too fast; only others receive `slow_down` (RFC 8628, 3.5). */
  @OperationHandler(deviceToken)
  token(input: Input<typeof deviceToken>): Promise<Result<typeof deviceToken>> {
    return countSignIn('device', () => this.poll(input));
  }

  private async poll({ body }: Input<typeof deviceToken>): Promise<Result<typeof deviceToken>> {
    const tokens = await this.database.transaction((tx) => this.redeem(tx, body));
    if (tokens) return tokens;
    throw toError(await this.grants.recordPoll(body.device_code, body.client_id));
  }

  private async redeem(tx: Transaction, request: TokenRequest): Promise<Result<typeof deviceToken> | undefined> {
    const approver = await this.grants.findApprover(tx, request.device_code, request.client_id);
    if (approver === null) return undefined;
    const user = await lockUser(tx, approver);
    if (!user) throw deniedError();
    const grant = await this.grants.redeem(tx, request.device_code, request.client_id);
    if (!grant) return undefined;
    const { access, refresh } = await this.sessions.begin(tx, user, {
      client: request.client_id,
      ...(grant.address !== null && { address: grant.address }),
      ...(grant.agent !== null && { agent: grant.agent }),
    });
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', is_google: user.isGoogle };
  }
}

const deniedError = () =>
  new ApiError('access_denied', 'The user denied the sign-in of this device. Request a new device code to try again.');

function toError(poll: Poll): ApiError {
  switch (poll.state) {
    case 'pending':
      return new ApiError(
        'authorization_pending',
        'The user has not approved the sign-in of this device yet. Keep polling.',
      );
    case 'too_fast':
      return new ApiError(
        'slow_down',
        `This client polls too fast. Wait at least ${poll.interval} seconds between two polls.`,
        { interval: poll.interval },
      );
    case 'denied':
      return deniedError();
    case 'expired':
      return new ApiError('expired_token', 'The device code has expired or was already used. Request a new one.');
  }
}

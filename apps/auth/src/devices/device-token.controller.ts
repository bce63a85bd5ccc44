import { Controller, Inject } from '@nestjs/common';
import { deviceToken, requestDeviceCode } from '@millrace/contracts/auth/devices';
import { ApiError } from '@millrace/contracts/kit/api-error';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database, type Transaction } from '@millrace/persistence/database';
import { AUTH_ENV, type AuthEnv } from '../env.js';
import { TryLimits } from '../limits/attempt-limits.js';
import { deviceCodeLimit } from '../limits/limit.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { lockUser } from '../users/lock-user.js';
import { DeviceGrants, GRANT_SECONDS, POLL_SECONDS, type Poll } from './device-grants.service.js';

type Asked = Input<typeof deviceToken>['body'];

/** The client's side of a device grant. */
@Controller()
export class DeviceTokenController {
  constructor(
    private readonly database: Database,
    private readonly grants: DeviceGrants,
    private readonly sessions: SessionsService,
    private readonly limits: TryLimits,
    @Inject(AUTH_ENV) private readonly env: AuthEnv,
  ) {}

  @OperationHandler(requestDeviceCode)
  async requestCode(
    { body }: Input<typeof requestDeviceCode>,
    context: Context,
  ): Promise<Result<typeof requestDeviceCode>> {
    await this.limits.admit(deviceCodeLimit(context));
    const { client } = context.envelope;
    const page = new URL('/device', client?.origin ?? this.env.PUBLIC_URL).href;
    const from = { client: body.client_id, address: client?.address ?? null, agent: client?.agent ?? null };
    return this.database.transaction(async (tx) => {
      const { deviceCode, userCode } = await this.grants.create(tx, from);
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

  /** Polling too fast is an answer to whoever waits (RFC 8628, 3.5); what was approved is given however soon one asks. */
  @OperationHandler(deviceToken)
  async token({ body }: Input<typeof deviceToken>): Promise<Result<typeof deviceToken>> {
    const given = await this.database.transaction((tx) => this.redeem(tx, body));
    if (given) return given;
    throw toError(await this.grants.notePoll(body.device_code, body.client_id));
  }

  private async redeem(tx: Transaction, asked: Asked): Promise<Result<typeof deviceToken> | undefined> {
    const approver = await this.grants.findApprover(tx, asked.device_code, asked.client_id);
    if (approver === null) return undefined;
    const user = await lockUser(tx, approver);
    if (!user) throw denied();
    const grant = await this.grants.redeem(tx, asked.device_code, asked.client_id);
    if (!grant) return undefined;
    const { access, refresh } = await this.sessions.begin(tx, user, {
      client: asked.client_id,
      ...(grant.address !== null && { address: grant.address }),
      ...(grant.agent !== null && { agent: grant.agent }),
    });
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', is_google: user.isGoogle };
  }
}

const denied = () => new ApiError('access_denied', 'The request was denied');

function toError(poll: Poll): ApiError {
  switch (poll.state) {
    case 'pending':
      return new ApiError('authorization_pending', 'Nobody has approved the request yet');
    case 'hasty':
      return new ApiError('slow_down', `Leave ${poll.interval} seconds between two polls`, { interval: poll.interval });
    case 'denied':
      return denied();
    case 'expired':
      return new ApiError('expired_token', 'The device code is over or was used; ask for a new one');
  }
}

import { Controller } from '@nestjs/common';
import { approveDevice, describeDevice } from '@millrace/contracts/auth/devices';
import type { Input, Result } from '@millrace/contracts/kit/operation';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { actorFromCaller, writeAuditEntry } from '../audit/write-audit-entry.js';
import { AttemptLimits, WrongGuessError } from '../limits/attempt-limits.js';
import { userCodeLimits } from '../limits/limit.js';
import { DeviceGrantsService } from './device-grants.service.js';

type Described = Result<typeof describeDevice>;
type Approved = Result<typeof approveDevice>;

/** The user's side of a device grant. Unknown codes count as wrong guesses (RFC 8628, 5.1). */
@Controller()
export class DeviceApprovalController {
  constructor(
    private readonly database: Database,
    private readonly grants: DeviceGrantsService,
    private readonly limits: AttemptLimits,
  ) {}

  @OperationHandler(describeDevice)
  async describe({ query }: Input<typeof describeDevice>, context: Context): Promise<Described> {
    return this.limits.attempt(userCodeLimits(context), async () => {
      const grant = await this.grants.find(query.user_code);
      if (!grant) throw unknownCodeError();
      return {
        client_id: grant.client as Described['client_id'],
        ...(grant.address !== null && { address: grant.address }),
        ...(grant.agent !== null && { agent: grant.agent }),
        created_date: grant.createdAt.toISOString(),
        expires_date: grant.expiresAt.toISOString(),
      };
    });
  }

  @OperationHandler(approveDevice)
  async approve({ body }: Input<typeof approveDevice>, context: Context): Promise<Approved> {
    const status = body.approve ? 'approved' : 'denied';
    return this.limits.attempt(userCodeLimits(context), () =>
      this.database.transaction(async (tx): Promise<Approved> => {
        const grant = await this.grants.decide(tx, body.user_code, { status, userId: context.caller.user });
        if (!grant) throw unknownCodeError();
        const { client, address, agent } = grant;
        await writeAuditEntry(tx, {
          ...actorFromCaller(context),
          action: `device.${status}`,
          details: { client, address, agent },
        });
        return { success: true, status };
      }),
    );
  }
}

const unknownCodeError = () =>
  new WrongGuessError('not_found', 'This user code does not exist or has expired. Check the code on the device.');

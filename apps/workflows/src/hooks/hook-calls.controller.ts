import { hash } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { Envelope } from '@millrace/contracts/kit/envelope';
import type { Input, Request, Result } from '@millrace/contracts/kit/operation';
import type { launchRun } from '@millrace/contracts/runs/runs';
import { fireHook } from '@millrace/contracts/workflows/hooks';
import type { Context } from '@millrace/messaging/rpc/context';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Database } from '@millrace/persistence/database';
import { newId } from '@millrace/persistence/ids';
import { planLatest } from '../running/check-startable.js';
import { newNoVersionError } from '../running/find-runnable.js';
import { RunLauncher } from '../running/run-launcher.js';
import { findPayloadType } from './check-payload-input.js';
import { HookCallGuard } from './hook-call.guard.js';
import { hashHookToken, newUnknownHookError } from './hook-secret.js';
import {
  readHookInputs,
  readInputLabels,
  type InputLabels,
  readJsonPayload,
  readTextPayload,
  refuseLongText,
} from './read-hook-call.js';

interface CalledHook {
  workflow: string;
  vault: string;
  author: string;
  data: string | null;
  latestVersionId: string | null;
  spaceId: string;
  payloadAs: string | null;
}

type LaunchInputs = Pick<Request<typeof launchRun>['body'], 'inputs' | 'contents'>;

@Controller()
export class HookCallsController {
  constructor(
    private readonly database: Database,
    private readonly runs: RunLauncher,
    private readonly guard: HookCallGuard,
  ) {}

  /**
   * Comes before everything else: otherwise the response that is stored under an Idempotency-Key would be returned for a day to
   * callers with a revoked token or without the signing secret.
   */
  authorize(envelope: Envelope & Input<typeof fireHook>): Promise<void> {
    return this.guard.check(envelope);
  }

  @OperationHandler(fireHook, { authorize: 'authorize' })
  async fire({ params, body }: Input<typeof fireHook>, { envelope }: Context): Promise<Result<typeof fireHook>> {
    const tokenHash = hashHookToken(params.token);
    const hook = await this.findHook(tokenHash);
    const { workflow, vault, author } = hook;
    const launchInputs = await this.readInputs(hook, Buffer.from(body.payload, 'base64'));
    refuseLongText(launchInputs.inputs);
    const origin = `hook ${originOf(tokenHash, envelope.idempotencyKey, body)}`;
    const request = { workflow, origin, ...launchInputs, creationType: 'HOOK' as const };
    const { run } = await this.runs.launch({ user: author, vault }, request, envelope.requestId);
    await this.database.client.hook.updateMany({ where: { tokenHash }, data: { lastUsedAt: new Date() } });
    return { run };
  }

  private async readInputs(hook: CalledHook, payload: Buffer): Promise<LaunchInputs> {
    const { data, vault, payloadAs } = hook;
    if (payloadAs === null) return { inputs: readHookInputs(readJsonPayload(payload), readLabels(data)) };
    const type = findPayloadType(await planLatest(this.database.client, vault, hook), payloadAs);
    if (type === 'STRING') return { inputs: { [payloadAs]: readTextPayload(payload) } };
    if (type === 'FILE') return { inputs: {}, contents: { [payloadAs]: payload.toString('base64') } };
    throw new ValidationError(
      { payload_as: `names "${payloadAs}", which is not a STRING or FILE input of the latest version` },
      'The hook no longer fits the workflow. Set `payload_as` to an input of the latest version.',
    );
  }

  private async findHook(tokenHash: string): Promise<CalledHook> {
    const [found] = await this.database.client.$queryRaw<CalledHook[]>`
      SELECT h.workflow_id::text AS workflow, h.vault_id::text AS vault, h.author::text, v.data,
        w.latest_version_id::text AS "latestVersionId", w.space_id::text AS "spaceId",
        h.payload_as AS "payloadAs"
      FROM workflows.hook h
      JOIN workflows.workflow w ON w.id = h.workflow_id AND w.vault_id = h.vault_id
      LEFT JOIN workflows.version v ON v.id = w.latest_version_id
      WHERE h.token_hash = ${tokenHash}`;
    if (!found) throw newUnknownHookError();
    return found;
  }
}

function readLabels(data: string | null): InputLabels {
  if (data === null) throw newNoVersionError();
  return readInputLabels(JSON.parse(data));
}

/**
 * A call with an idempotency key starts one run, also if the first response was lost together with the process that was
 * to record it; therefore the run itself stores the key. Calls without a key are all distinct.
 */
const originOf = (tokenHash: string, key: string | undefined, body: unknown): string =>
  key === undefined ? newId() : hash('sha256', JSON.stringify([tokenHash, key, body]), 'hex');

import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { healthChecks, type Health } from '@millrace/contracts/kit/health';
import { Broker } from '@millrace/messaging/broker/broker';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { DiskSpace } from '@millrace/service/health/disk-space';
import { checkHealth, HEALTH_CHECK_TIMEOUT_MS } from '@millrace/service/health/health';
import { VERSION } from '@millrace/service/version';

/** RpcClient repeats the call after a third of this time, by which the checks of a service must have ended. */
const SERVICE_TIMEOUT_MS = 4 * HEALTH_CHECK_TIMEOUT_MS;
const NO_RESPONSE: Health = { status: 'unavailable', checks: { service: 'does not respond' } };

/** Liveness reports that this process runs; readiness, that every service can do its work. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly broker: Broker,
    private readonly disk: DiskSpace,
  ) {}

  @Get('live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    const services: Record<string, Health> = Object.fromEntries(
      await Promise.all(
        Object.values(healthChecks).map(async (check) => {
          const from = { caller: null };
          return [
            check.service,
            await this.rpc.call(check, {}, from, { timeoutMs: SERVICE_TIMEOUT_MS }).catch(() => NO_RESPONSE),
          ] as const;
        }),
      ),
    );
    services['gateway'] = await checkHealth({
      disk: () => this.disk.check(),
      nats: () => (this.broker.isConnected ? Promise.resolve() : Promise.reject(new Error('not connected'))),
    });
    const isReady = Object.values(services).every(({ status }) => status === 'ok');
    void reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable', version: VERSION, services });
  }
}

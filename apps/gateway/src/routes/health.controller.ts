import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { healthChecks, type Health } from '@millrace/contracts/kit/health';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { HealthServer, type HealthResponse } from '@millrace/service/health/health-server';
import { HEALTH_CHECK_TIMEOUT_MS } from '@millrace/service/health/run-checks';
import { ServiceHealth } from '@millrace/service/health/service-health';
import { VERSION } from '@millrace/service/version';

/** RpcClient repeats the call after a third of this time, by which the checks of a service must have ended. */
const SERVICE_TIMEOUT_MS = 4 * HEALTH_CHECK_TIMEOUT_MS;
const NO_RESPONSE: Health = { status: 'unavailable', checks: { service: 'does not respond' } };

/**
 * The probes of this process, as on its health port, and the health of the whole system. This gateway is ready while other
 * services are away: it responds with 503 to their operations only.
 */
@Controller('health')
export class HealthController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly server: HealthServer,
    private readonly gateway: ServiceHealth,
  ) {}

  @Get('live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  @Get('startup')
  startup(@Res() reply: FastifyReply): void {
    send(reply, this.server.readStartup());
  }

  @Get('ready')
  async ready(@Res() reply: FastifyReply): Promise<void> {
    send(reply, await this.server.readReadiness());
  }

  /** Every service, from one of its copies: its version, its dependencies, and how much of its work waits. */
  @Get('system')
  async system(@Res() reply: FastifyReply): Promise<void> {
    const reports = Object.values(healthChecks).map(async (check) => {
      const options = { timeoutMs: SERVICE_TIMEOUT_MS };
      return [
        check.service,
        await this.rpc.call(check, {}, { caller: null }, options).catch(() => NO_RESPONSE),
      ] as const;
    });
    const services: Record<string, Health> = {
      ...Object.fromEntries(await Promise.all(reports)),
      gateway: await this.gateway.readReport(),
    };
    const isOk = Object.values(services).every(({ status }) => status === 'ok');
    send(reply, {
      status: isOk ? 200 : 503,
      body: { status: isOk ? 'ok' : 'unavailable', version: VERSION, services },
    });
  }
}

function send(reply: FastifyReply, { status, body }: HealthResponse): void {
  void reply.code(status).header('cache-control', 'no-store').send(body);
}

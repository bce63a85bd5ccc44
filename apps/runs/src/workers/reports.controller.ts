import { Controller } from '@nestjs/common';
import type { Input } from '@millrace/contracts/kit/operation';
import { receiveReports } from '@millrace/contracts/runs/engine';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { Engine } from '../engine/engine.js';
import { parseWorkerBody } from './parse-worker-body.js';

@Controller()
export class ReportsController {
  constructor(private readonly engine: Engine) {}

  @OperationHandler(receiveReports)
  async take({ body }: Input<typeof receiveReports>): Promise<null> {
    await this.engine.take(parseWorkerBody(receiveReports, body));
    return null;
  }
}

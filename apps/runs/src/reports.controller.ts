import { Controller } from '@nestjs/common';
import type { Input } from '@millrace/contracts/kit/operation';
import { takeReports } from '@millrace/contracts/runs/engine';
import { Handles } from '@millrace/messaging/handles';
import { Engine } from './engine/engine.js';
import { parseWorkerBody } from './parse-worker-body.js';

@Controller()
export class ReportsController {
  constructor(private readonly engine: Engine) {}

  @Handles(takeReports)
  async take({ body }: Input<typeof takeReports>): Promise<null> {
    await this.engine.take(parseWorkerBody(takeReports, body));
    return null;
  }
}

import { Controller } from '@nestjs/common';
import type { Input } from '@millrace/contracts/kit/operation';
import { receiveReports } from '@millrace/contracts/runs/engine';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { ReportReceiver } from '../engine/reports/report-receiver.js';
import { parseWorkerBody } from './parse-worker-body.js';

@Controller()
export class ReportsController {
  constructor(private readonly reports: ReportReceiver) {}

  @OperationHandler(receiveReports)
  async receive({ body }: Input<typeof receiveReports>): Promise<null> {
    await this.reports.receive(parseWorkerBody(receiveReports, body));
    return null;
  }
}

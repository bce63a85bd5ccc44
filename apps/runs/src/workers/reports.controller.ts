import { Controller } from '@nestjs/common';
import type { Input } from '@millrace/contracts/kit/operation';
import { receiveReports, reportInputs } from '@millrace/contracts/runs/engine';
import { OperationHandler } from '@millrace/messaging/rpc/operation-handler';
import { listFolderContents } from '../contents/keep-contents.js';
import { Dispatcher } from '../engine/dispatch/dispatcher.js';
import { OutputLists } from '../engine/dispatch/output-lists.js';
import { ReportReceiver } from '../engine/reports/report-receiver.js';
import { applyFetchedInputs } from '../inputs/apply-fetched-inputs.js';
import { parseWorkerBody } from './worker-requests.js';

/** Receives what workers report: the progress of steps, and fetched inputs. */
@Controller()
export class ReportsController {
  constructor(
    private readonly reports: ReportReceiver,
    private readonly dispatcher: Dispatcher,
    private readonly outputs: OutputLists,
  ) {}

  @OperationHandler(receiveReports)
  async receive({ body }: Input<typeof receiveReports>): Promise<null> {
    await this.reports.receive(parseWorkerBody(receiveReports, body));
    return null;
  }

  @OperationHandler(reportInputs)
  async receiveInputs({ body }: Input<typeof reportInputs>): Promise<null> {
    const { run: id, ...fetched } = parseWorkerBody(reportInputs, body);
    const values = Object.fromEntries(fetched.inputs.map(({ primitive, value }) => [primitive, value]));
    const contents = await listFolderContents(values, this.outputs);
    return this.dispatcher.change({
      lock: { ids: [BigInt(id)] },
      change: async (tx, runs) => {
        for (const run of runs.values()) await applyFetchedInputs(tx, run, { ...fetched, contents });
        return null;
      },
    });
  }
}

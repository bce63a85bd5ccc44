import { z } from 'zod';
import { onlyServices } from '../kit/access.js';
import { internalOperation } from '../kit/operation.js';

/** Most runs of one request. */
export const MAX_LEDGER_RUNS = 1_000;

/** For a check that the costs that runs show are those that were billed. */
export const sumLedgerOfRuns = internalOperation('billing.ledger.ofRuns', {
  summary: 'Sum the ledger entries of some runs of the current month',
  access: onlyServices('runs'),
  readOnly: true,
  body: z.object({ runs: z.array(z.string()).max(MAX_LEDGER_RUNS) }),
  /** Execution units by run; a run without entries is absent. */
  response: z.object({ units: z.record(z.string(), z.number()) }),
});

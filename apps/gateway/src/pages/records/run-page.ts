import { ApiError } from '@millrace/contracts/kit/api-error';
import { getRun, stopRun } from '@millrace/contracts/runs/runs';
import { listSubjobs } from '@millrace/contracts/runs/subjobs';
import { explainProblem } from '../errors/explain-problem.js';
import { runPage } from './run-view.js';
import type { Linked, Visit } from './serve-record-page.js';

/** So many that a person reads them; the progress counts all. */
const MAX_STEPS = '50';

/** How a run ended, or how it goes. */
export const RUN_PAGE: Linked = {
  path: '/runs',
  noun: 'run',
  async show(visit) {
    const problem = visit.action === 'stop' ? await tryToStop(visit) : undefined;
    const params = { id: visit.id };
    const run = await visit.ask(getRun, { params });
    const steps = await visit.ask(listSubjobs, { params, query: { page_size: MAX_STEPS } });
    return { page: runPage(run, steps, visit.session, problem), needsSession: !run.finished };
  },
};

/** @returns why not, for those who may see the run but not stop it */
async function tryToStop({ ask, id }: Visit): Promise<string | undefined> {
  try {
    await ask(stopRun, { params: { id } });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return explainProblem(error);
  }
}

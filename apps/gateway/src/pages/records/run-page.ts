import { ApiError } from '@millrace/contracts/kit/api-error';
import { getRun, stopRun } from '@millrace/contracts/runs/runs';
import { listSubjobs } from '@millrace/contracts/runs/subjobs';
import { explainProblem } from '../errors/explain-problem.js';
import { runPage } from './run-view.js';
import type { RecordPage, Visit } from './serve-record-page.js';

/** As many as a person reads; the progress counts all. */
const MAX_STEPS = '50';

/** The state of a run. */
export const RUN_PAGE: RecordPage = {
  path: '/runs',
  noun: 'run',
  async show(visit) {
    const problem = visit.action === 'stop' ? await tryToStop(visit) : undefined;
    const params = { id: visit.id };
    const run = await visit.call(getRun, { params });
    const steps = await visit.call(listSubjobs, { params, query: { page_size: MAX_STEPS } });
    return { page: runPage(run, steps, visit.session, problem), needsSession: !run.finished };
  },
};

/** @returns why the run could not be stopped, for example because the user may see it but not stop it */
async function tryToStop({ call, id }: Visit): Promise<string | undefined> {
  try {
    await call(stopRun, { params: { id } });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return explainProblem(error);
  }
}

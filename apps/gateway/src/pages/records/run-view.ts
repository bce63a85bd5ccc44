import type { z } from 'zod';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import type { getRun } from '@millrace/contracts/runs/runs';
import type { listSubjobs } from '@millrace/contracts/runs/subjobs';
import { type Html, html } from '@millrace/service/text/html';
import { factList, formatTime } from '../layout/fact-list.js';
import { hidden } from '../layout/field.js';
import type { Page } from '../layout/page.js';
import type { PageSession } from '../session/page-session.js';

type Run = z.output<(typeof getRun)['response']>;
type Subjobs = z.output<(typeof listSubjobs)['response']>;

export function runPage(run: Run, steps: Subjobs, session: PageSession, problem?: string): Page {
  const body = html`<div id="live">${runFacts(run)}${stepList(steps)}</div>
    ${run.finished ? null : liveForm(run, session)}`;
  return { title: run.name, problem, body, isLive: !run.finished };
}

function runFacts(run: Run): Html {
  const duration = run.duration_ms === undefined ? undefined : formatDuration(run.duration_ms);
  return factList([
    ['Workflow', run.workflow_name],
    ['Status', formatStatus(run.status)],
    ['Error', run.error],
    ['Progress', formatProgress(run.run_insights)],
    ['Created', formatTime(run.created_date)],
    ['Started', run.started_date && formatTime(run.started_date)],
    ['Ended', run.completed_date && formatTime(run.completed_date)],
    ['Duration', duration],
    ['Cost', formatCost(run.execution_units)],
  ]);
}

const formatCost = (units: number): string =>
  `${units} execution ${units === 1 ? 'unit' : 'units'} (one is a CPU second; each attempt is rounded up)`;

/** `8 subjobs: 5 succeeded, 3 running` */
function formatProgress({ total, ...counts }: Run['run_insights']): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const each = parts.map(([status, count]) => `${count} ${status}`).join(', ');
  return `${total} ${total === 1 ? 'subjob' : 'subjobs'}${each === '' ? '' : `: ${each}`}`;
}

function stepList({ results, count }: Subjobs): Html | null {
  if (results.length === 0) return null;
  const steps = results.map((step) => [step.label, formatSubjob(step)] as const);
  const more = count - results.length;
  return html`<h2>Steps</h2>
    ${factList(steps)} ${more > 0 ? html`<p>and ${more} more</p>` : null}`;
}

/** `Failed (attempt 3 of 3): exit code 4`, `Skipped: grep-1 failed`. */
function formatSubjob({ status, message, attempt, max_attempts, task_count }: Subjobs['results'][number]): string {
  const isRetried = status === 'FAILED' && max_attempts > 1 && task_count === undefined;
  const tries = isRetried ? ` (attempt ${attempt} of ${max_attempts})` : '';
  const why = status === 'SUCCEEDED' || message === undefined ? '' : `: ${message.replace(/^skipped: /, '')}`;
  return `${formatStatus(status)}${tries}${why}`;
}

const formatStatus = (status: string): string => status.charAt(0) + status.slice(1).toLowerCase();

const liveForm = ({ id, status }: Run, session: PageSession): Html =>
  html`<form method="post" action="/runs/${id}" data-live>
    ${hidden({ ...session })}
    <button type="submit" name="action" value="stop" ${status === 'STOPPING' ? html` disabled` : null}>Stop</button>
    <noscript><button type="submit" class="quiet">Refresh</button></noscript>
  </form>`;

import type { z } from 'zod';
import { formatDuration } from '@millrace/contracts/runs/format-duration';
import type { getRun } from '@millrace/contracts/runs/runs';
import type { listSubjobs } from '@millrace/contracts/runs/subjobs';
import { html, type Html } from '@millrace/service/html';
import { facts } from '../layout/fact-list.js';
import { hidden } from '../layout/field.js';
import { sayTime } from '../layout/format-time.js';
import type { Page } from '../layout/page.js';
import type { ShortSession } from '../session/page-session.js';

type Run = z.output<(typeof getRun)['response']>;
type Subjobs = z.output<(typeof listSubjobs)['response']>;

export function runPage(run: Run, steps: Subjobs, session: ShortSession, problem?: string): Page {
  const body = html`<div id="live">${runFacts(run)}${stepList(steps)}</div>
    ${run.finished ? null : liveForm(run, session)}`;
  return { title: run.name, problem, body, isLive: !run.finished };
}

function runFacts(run: Run): Html {
  const duration = run.duration_ms === undefined ? undefined : formatDuration(run.duration_ms);
  return facts([
    ['Workflow', run.workflow_name],
    ['Status', sayStatus(run.status)],
    ['Error', run.error],
    ['Progress', sayProgress(run.run_insights)],
    ['Created', sayTime(run.created_date)],
    ['Started', run.started_date && sayTime(run.started_date)],
    ['Ended', run.completed_date && sayTime(run.completed_date)],
    ['Duration', duration],
    ['Cost', sayCost(run.execution_units)],
  ]);
}

const sayCost = (units: number): string =>
  `${units} execution ${units === 1 ? 'unit' : 'units'} (one is a CPU second; each attempt is rounded up)`;

/** `8 subjobs: 5 succeeded, 3 running` */
function sayProgress({ total, ...counts }: Run['run_insights']): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const each = parts.map(([status, count]) => `${count} ${status}`).join(', ');
  return `${total} ${total === 1 ? 'subjob' : 'subjobs'}${each === '' ? '' : `: ${each}`}`;
}

function stepList({ results, count }: Subjobs): Html | null {
  if (results.length === 0) return null;
  const steps = results.map((step) => [step.label, saySubjob(step)] as const);
  const more = count - results.length;
  return html`<h2>Steps</h2>
    ${facts(steps)} ${more > 0 ? html`<p>and ${more} more</p>` : null}`;
}

/** `Failed (attempt 3 of 3): exit code 4`, `Skipped: grep-1 failed`. */
function saySubjob({ status, message, attempt, max_attempts, task_count }: Subjobs['results'][number]): string {
  const isRetried = status === 'FAILED' && max_attempts > 1 && task_count === undefined;
  const tries = isRetried ? ` (attempt ${attempt} of ${max_attempts})` : '';
  const why = status === 'SUCCEEDED' || message === undefined ? '' : `: ${message.replace(/^skipped: /, '')}`;
  return `${sayStatus(status)}${tries}${why}`;
}

const sayStatus = (status: string): string => status.charAt(0) + status.slice(1).toLowerCase();

const liveForm = ({ id, status }: Run, session: ShortSession): Html =>
  html`<form method="post" action="/runs/${id}" data-live>
    ${hidden({ ...session })}
    <button type="submit" name="action" value="stop" ${status === 'STOPPING' ? html` disabled` : null}>Stop</button>
    <noscript><button type="submit" class="quiet">Refresh</button></noscript>
  </form>`;

import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { ApiError, ValidationError } from '@millrace/contracts/kit/api-error';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { planProblem } from '@millrace/contracts/runs/dry-run';
import { problem } from '@millrace/contracts/workflows/problem';
import type { Context } from '@millrace/messaging/rpc/context';
import { RpcClient } from '@millrace/messaging/rpc/rpc-client';
import { Database } from '@millrace/persistence/database';
import { InputResolver } from '../inputs/input-resolver.js';
import { checkVariables } from '../launch/check-variables.js';
import type { RunRequest } from '../launch/run-starter.js';
import type { RunnableVersion } from '../launch/version-cache.js';
import { InvalidParametersError } from '../parameters/invalid-parameters-error.js';
import { resolveWithParameters } from '../parameters/resolve-with-parameters.js';
import { requireUnrestricted } from '../restrictions/require-unrestricted.js';
import { requireRoomForRun, VAULT_LIMITS, type VaultLimits } from '../restrictions/vault-limits.js';
import { WorkerRegistry } from '../workers/worker-registry.js';

export type PlanProblem = z.input<typeof planProblem>;

/** The problem that would be thrown if a run were started. */
async function catchProblem(kind: PlanProblem['kind'], check: () => Promise<void>): Promise<PlanProblem[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError) || error.isServerError) throw error;
    return [{ kind, severity: 'error', code: error.code, message: error.message }];
  }
}

/** Finds everything that would prevent the start of a run. */
@Injectable()
export class ProblemFinder {
  constructor(
    private readonly database: Database,
    private readonly inputs: InputResolver,
    private readonly workers: WorkerRegistry,
    private readonly rpc: RpcClient,
    @Inject(VAULT_LIMITS) private readonly limits: VaultLimits,
  ) {}

  /** Problems that do not depend on the workflow. */
  async findGeneral(vault: string): Promise<PlanProblem[]> {
    const { client } = this.database;
    const restriction = await catchProblem('restriction', () => requireUnrestricted(client, vault));
    const limit = await catchProblem('limit', () => requireRoomForRun(client, vault, this.limits));
    const noWorkers: PlanProblem = {
      ...{ kind: 'workers', severity: 'warning', code: 'no_workers' },
      message: 'No worker is connected, so the run would wait for one.',
    };
    return [...restriction, ...limit, ...((await this.workers.countSlots()) === 0 ? [noWorkers] : [])];
  }

  /** Resolves the inputs as for a run; no values if there are problems. @throws InvalidParametersError */
  async resolveInputs(
    context: Context,
    runnable: RunnableVersion,
    request: RunRequest,
  ): Promise<{ inputs: Record<string, InputValue>; problems: PlanProblem[] }> {
    try {
      return { inputs: await resolveWithParameters(this.inputs, context, runnable, request), problems: [] };
    } catch (error) {
      if (!(error instanceof ValidationError) || error instanceof InvalidParametersError) throw error;
      const found = toInputProblems(error);
      if (found.length === 0) return { inputs: {}, problems: toVariableProblems(error) };
      return { inputs: {}, problems: [...found, ...(await this.findUndefined(context, runnable, request.inputs))] };
    }
  }

  private async findUndefined(
    context: Context,
    runnable: RunnableVersion,
    inputs: RunRequest['inputs'],
  ): Promise<PlanProblem[]> {
    try {
      await checkVariables(this.rpc, context, runnable, new Set(Object.keys(inputs)));
      return [];
    } catch (error) {
      if (error instanceof ValidationError) return toVariableProblems(error);
      throw error;
    }
  }
}

const INPUTS = 'inputs.';

/** `InputResolver` reports its own problems under `inputs.<name>`, and otherwise those of variables. */
const toInputProblems = ({ details = {} }: ValidationError): PlanProblem[] =>
  Object.entries(details).flatMap(([place, message]) => {
    if (!place.startsWith(INPUTS) || typeof message !== 'string') return [];
    const port = place.slice(INPUTS.length);
    return [{ kind: 'input', severity: 'error', code: 'bad_input', port, message }];
  });

/** Under `<node>.<variable>`. The name of a variable has no dot. */
const toVariableProblems = ({ details = {} }: ValidationError): PlanProblem[] =>
  Object.entries(details).map(([place, message]) => ({
    ...{ kind: 'variable', severity: 'error', code: 'undefined_variable', message: String(message) },
    node: place.slice(0, place.lastIndexOf('.')),
  }));

/** The problems of a workflow that cannot run; null if the error is about something else. */
export function toWorkflowProblems(error: unknown): PlanProblem[] | null {
  const errors = error instanceof ValidationError ? error.details?.['errors'] : undefined;
  if (!Array.isArray(errors)) return null;
  return errors.map((found) => ({ kind: 'workflow', severity: 'error', ...problem.parse(found) }));
}

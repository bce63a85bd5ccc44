import { Injectable } from '@nestjs/common';
import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { InputValue } from '@millrace/contracts/runs/dispatch';
import type { ChangedPlan } from '@millrace/graph/params/change-step-inputs';
import type { Context } from '@millrace/messaging/rpc/context';
import type { Run } from '@millrace/persistence/generated/client';
import { PlanIndex } from '../engine/plans/plan-index.js';
import { isFileType } from '../inputs/input-fetch.js';
import { InputResolver } from '../inputs/input-resolver.js';
import type { ShownInputs } from '../inputs/to-inputs.js';
import type { VersionData } from '../launch/version-cache.js';
import { CHANGE_FIELD } from './compile-change.js';
import { placeOf } from './invalid-parameters-error.js';

/** Resolves the files that changed parameters name, and the defaults of a module that apply again. */
@Injectable()
export class ChangedInputs {
  constructor(private readonly inputs: InputResolver) {}

  /** @throws ValidationError under `body.nodes.<node>.<parameter>` for a file that does not exist or has to be fetched */
  async resolve(
    context: Context,
    version: VersionData,
    run: Pick<Run, 'shownInputs'>,
    { plan, primitives }: ChangedPlan,
  ): Promise<Record<string, InputValue>> {
    const { given = {} } = (run.shownInputs as ShownInputs | null) ?? {};
    const changed = primitives.filter((id) => {
      const { label = '' } = plan.primitives[id] ?? {};
      return !Object.hasOwn(given, id) && !(label !== '' && Object.hasOwn(given, label));
    });
    const values = changed.flatMap((id) => {
      const primitive = plan.primitives[id];
      return !primitive || primitive.value === null ? [] : [{ id, ...primitive, value: primitive.value }];
    });
    requireStored(values.filter(({ type }) => isFileType(type)));
    // No steps: nothing but these inputs is checked.
    const own = Object.fromEntries(values.map(({ id, ...primitive }) => [id, { ...primitive, label: '' }]));
    const index = new PlanIndex({ ...plan, steps: [], segments: [], scopes: [], outputs: [], primitives: own }, '');
    try {
      const request = Object.fromEntries(values.map(({ id, value }) => [id, value]));
      return await this.inputs.resolve(context, { ...version, plan: index, files: new Map() }, request);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const details = Object.entries(error.details ?? {});
      throw new ValidationError(
        Object.fromEntries(details.map(([place, problem]) => [placeOfInput(place.replace(/^inputs\./, '')), problem])),
      );
    }
  }
}

/** A run fetches its inputs once, before its first step. */
function requireStored(files: { id: string; value: string | boolean }[]): void {
  const fetched = files.filter(({ value }) => !String(value).startsWith('millrace://'));
  if (fetched.length === 0) return;
  const problem =
    'must be a stored file (millrace://file/<path> or millrace://output/<id>), because a run fetches URLs at its start only; upload the file';
  throw new ValidationError(Object.fromEntries(fetched.map(({ id }) => [placeOfInput(id), problem])));
}

/** The parameter of an input `<node>/<param>`. */
const placeOfInput = (id: string): string => placeOf(CHANGE_FIELD, id.replace('/', '.'), undefined);

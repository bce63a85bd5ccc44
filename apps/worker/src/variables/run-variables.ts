import { variableKey } from '@millrace/graph/plan-variables';
import { substituteVariables, UnknownVariableError } from '@millrace/graph/substitute-variables';
import { StepFailure } from '../step-failure.js';
import { Masker } from './masker.js';

/** What the variables of a run stand for. Lives in memory alone. */
export interface RunVariables {
  /**
   * Puts values in the place of their names.
   * @param space of the module that the text is written in; absent for the workflow of the run
   * @throws StepFailure for a name that nothing defines
   */
  fill(text: string, space?: string): string;
  /** Keeps the values from sight; null where there is nothing to keep. */
  masker: Masker | null;
  /** Why values cannot be had; then no step may run, for what former ones left would be shown in clear. */
  withheld: string | null;
}

/** Of a plan that names none: its text stays as it is. */
export const NO_VARIABLES: RunVariables = { fill: (text) => text, masker: null, withheld: null };

/** @param secrets values to mask, by `variableKey`; @param plain values that anybody may see, the same in every space */
export function runVariables(secrets: ReadonlyMap<string, string>, plain: ReadonlyMap<string, string>): RunVariables {
  return {
    masker: Masker.of([...secrets.values()]),
    withheld: null,
    fill: (text, space) => {
      try {
        return substituteVariables(text, (name) => plain.get(name) ?? secrets.get(variableKey(space, name)));
      } catch (error) {
        throw error instanceof UnknownVariableError ? new StepFailure(error.message) : error;
      }
    },
  };
}

/** Of a run whose values cannot be had: its steps fail, and say why. */
export const withheld = (reason: string): RunVariables => ({
  masker: null,
  withheld: `the secret variables of the run cannot be had: ${reason}`,
  fill: (text) => text,
});

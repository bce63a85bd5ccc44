import { type SecretDigests } from '@millrace/contracts/workflows/secrets';
import { variableKey } from '@millrace/graph/variables/list-plan-variables';
import { substituteVariables, UnknownVariableError } from '@millrace/graph/variables/substitute-variables';
import { Masker } from '../masking/masker.js';
import { StepFailedError } from '../steps/step-failed-error.js';

/** What the variables of a run stand for. Lives in memory alone. */
export interface RunVariables {
  /**
   * Puts values in the place of their names.
   * @param space of the module that the text is written in; absent for the workflow of the run
   * @throws StepFailedError for a name that nothing defines
   */
  fill(text: string, space?: string): string;
  /** As `fill`, with a digest in the place of each secret: equal only for equal values, and says nothing about them. */
  identify(text: string, space?: string): string;
  /** What stands for the secrets in cache keys; null if it is not known. */
  digests: SecretDigests | null;
  /** Keeps the values from sight; null where there is nothing to keep. */
  masker: Masker | null;
  /** Why values cannot be had; then no step may run, for what former ones left would be shown in clear. */
  withheld: string | null;
}

/** Of a plan that names none: its text stays as it is. */
export const NO_VARIABLES: RunVariables = {
  fill: (text) => text,
  identify: (text) => text,
  digests: { salt: '', values: {} },
  masker: null,
  withheld: null,
};

/**
 * @param secrets values to mask, by `variableKey`
 * @param plain values that anybody may see, the same in every space
 * @param digests of the secrets; null from a service that does not know them
 */
export function createRunVariables(
  secrets: ReadonlyMap<string, string>,
  plain: ReadonlyMap<string, string>,
  digests: SecretDigests | null = null,
): RunVariables {
  return {
    masker: Masker.of([...secrets.values()]),
    withheld: null,
    digests: secrets.size > 0 && !hasAll(digests, secrets) ? null : (digests ?? NO_VARIABLES.digests),
    fill: (text, space) => substitute(text, (name) => plain.get(name) ?? secrets.get(variableKey(space, name))),
    // No value that reaches a command has a NUL in it, so no other text looks like this.
    identify: (text, space) =>
      substitute(text, (name) => {
        const key = variableKey(space, name);
        return plain.get(name) ?? (secrets.has(key) ? `\0${digests?.values[key]}\0` : undefined);
      }),
  };
}

const hasAll = (digests: SecretDigests | null, secrets: ReadonlyMap<string, string>): boolean =>
  digests !== null && [...secrets.keys()].every((name) => Object.hasOwn(digests.values, name));

function substitute(text: string, lookup: (name: string) => string | undefined): string {
  try {
    return substituteVariables(text, lookup);
  } catch (error) {
    throw error instanceof UnknownVariableError ? new StepFailedError(error.message) : error;
  }
}

/** Of a run whose values cannot be had: its steps fail, and say why. */
export const withheld = (reason: string): RunVariables => ({
  masker: null,
  withheld: `the secret variables of the run are not available: ${reason}`,
  fill: (text) => text,
  identify: (text) => text,
  digests: null,
});

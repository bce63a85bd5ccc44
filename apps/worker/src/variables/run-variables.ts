import { type SecretDigests } from '@millrace/contracts/workflows/secrets';
import { variableKey } from '@millrace/graph/variables/list-plan-variables';
import { substituteVariables, UnknownVariableError } from '@millrace/graph/variables/substitute-variables';
import { Masker } from '../masking/masker.js';
import { StepFailedError } from '../steps/step-failed-error.js';

/** The values of a run's variables. They are only in memory. */
export interface RunVariables {
  /**
   * Replaces names by values.
   * @param space of the module that the text is written in; absent for the workflow of the run
   * @throws StepFailedError for a name that is not defined
   */
  fill(text: string, space?: string): string;
  /** Like `fill`, but with a digest of each secret: digests are equal only for equal values, and do not reveal them. */
  identify(text: string, space?: string): string;
  /** Digests of the secrets for cache keys; null if they are unknown. */
  digests: SecretDigests | null;
  /** Masks the secret values; null if there are none. */
  masker: Masker | null;
  /** Why the values are not available. Then no step may run, because outputs of earlier steps would not be masked. */
  withheld: string | null;
}

/** For a plan that names no variables. */
export const NO_VARIABLES: RunVariables = {
  fill: (text) => text,
  identify: (text) => text,
  digests: { salt: '', values: {} },
  masker: null,
  withheld: null,
};

/**
 * @param secrets values to mask, by `variableKey`
 * @param plain values that every user may see, the same in every space
 * @param digests of the secrets; null if the service did not send them
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
    // No value of a command contains a NUL, so no other text has this form.
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

/** For a run whose values are not available: its steps fail with the reason. */
export const withheld = (reason: string): RunVariables => ({
  masker: null,
  withheld: `the secret variables of the run are not available: ${reason}`,
  fill: (text) => text,
  identify: (text) => text,
  digests: null,
});

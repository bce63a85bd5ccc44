import { findVariables } from './substitute-variables.js';

/**
 * The space in which a plan resolves the variables in texts that were written on one level of a workflow. Absent where
 * the texts name no variable, and where the level is the workflow of the run, so that most plans stay in format 1.
 */
export const scopeOf = (texts: readonly unknown[], space: string | null): { space?: string } =>
  space !== null && texts.some(namesVariable) ? { space } : {};

const namesVariable = (text: unknown): boolean => typeof text === 'string' && findVariables(text).length > 0;

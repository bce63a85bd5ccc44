import { findVariables } from './substitute-variables.js';

/**
 * The space in which a plan resolves the variables in texts of one level. Absent if the texts use no variable or the level
 * is the workflow of the run, so that most plans keep format 1.
 */
export const variableSpace = (texts: readonly unknown[], space: string | null): { space?: string } =>
  space !== null && texts.some(usesVariable) ? { space } : {};

const usesVariable = (text: unknown): boolean => typeof text === 'string' && findVariables(text).length > 0;

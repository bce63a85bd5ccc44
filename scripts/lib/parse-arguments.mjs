import { parseArgs } from 'node:util';
import { UserError } from './report.mjs';

/**
 * Parses a command line. Unknown options and arguments are reported together with the usage.
 * @template {import('node:util').ParseArgsConfig} Config
 * @param {Config} config
 * @param {string} usage
 */
export function parseArguments(config, usage) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UserError(`${/** @type {Error} */ (error).message}\n\n${usage}`, 2);
  }
}

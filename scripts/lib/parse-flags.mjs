import { parseArgs } from 'node:util';
import { UserError } from './report.mjs';

/**
 * Parses boolean flags. npm consumes flags before `--` and passes them as `npm_config_<name>`. These count too, so that
 * `npm run up --detach` has the intended effect.
 * @template {string} Name
 * @param {readonly Name[]} names
 * @param {string[]} argv arguments after the script's name
 * @param {NodeJS.ProcessEnv} env
 * @param {string} usage shown if an argument is not a flag
 * @returns {Record<Name, boolean>}
 */
export function parseFlags(names, argv, env, usage) {
  const options = Object.fromEntries(names.map((name) => [name, { type: /** @type {const} */ ('boolean') }]));
  let values;
  try {
    ({ values } = parseArgs({ args: argv, options, strict: true, allowPositionals: false }));
  } catch (error) {
    throw new UserError(`${/** @type {Error} */ (error).message}\n\n${usage}`, 2);
  }
  const flags = values;
  const isOn = (/** @type {string} */ name) => flags[name] === true || env[`npm_config_${name}`] === 'true';
  return /** @type {Record<Name, boolean>} */ (Object.fromEntries(names.map((name) => [name, isOn(name)])));
}

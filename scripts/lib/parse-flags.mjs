import { parseArguments } from './parse-arguments.mjs';

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
  /** @type {Record<string, unknown>} */
  const flags = parseArguments({ args: argv, options }, usage).values;
  const isOn = (/** @type {string} */ name) => flags[name] === true || env[`npm_config_${name}`] === 'true';
  return /** @type {Record<Name, boolean>} */ (Object.fromEntries(names.map((name) => [name, isOn(name)])));
}

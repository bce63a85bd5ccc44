const VARIABLE = 'MILLRACE_COMMAND_STARTED';

/**
 * When the command began, in milliseconds since the epoch. A command that goes on in another process, on the Node that npm
 * has just installed, began in the first one, which says so in the environment; what that starts in turn does not see it.
 * @param {NodeJS.ProcessEnv} env
 * @returns {number}
 */
export function takeStart(env) {
  const given = Number(env[VARIABLE]);
  delete env[VARIABLE];
  return Number.isFinite(given) && given > 0 ? given : performance.timeOrigin;
}

/**
 * @param {NodeJS.ProcessEnv} env of the process that goes on with the command
 * @param {number} start
 */
export function passStart(env, start) {
  env[VARIABLE] = String(start);
}

const VARIABLE = 'MILLRACE_COMMAND_STARTED';

/**
 * The start time of the command, in milliseconds since the epoch. A command that continues in another process, on the Node
 * that npm has just installed, started in the first process, which passes its start time in the environment. The variable is
 * removed, so that child processes do not get it.
 * @param {NodeJS.ProcessEnv} env
 * @returns {number}
 */
export function takeCommandStart(env) {
  const passed = Number(env[VARIABLE]);
  delete env[VARIABLE];
  return Number.isFinite(passed) && passed > 0 ? passed : performance.timeOrigin;
}

/**
 * @param {NodeJS.ProcessEnv} env of the process that continues the command
 * @param {number} start
 */
export function passCommandStart(env, start) {
  env[VARIABLE] = String(start);
}

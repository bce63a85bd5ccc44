/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean} whether no user at a terminal can answer a question
 */
export function isUnattended(env) {
  const isCi = Boolean(env.CI) && env.CI !== 'false';
  return isCi || !process.stdin.isTTY || !process.stdout.isTTY;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {boolean} whether there is nobody at a terminal to answer a question
 */
export function isUnattended(env) {
  const isCi = Boolean(env.CI) && env.CI !== 'false';
  return isCi || !process.stdin.isTTY || !process.stdout.isTTY;
}

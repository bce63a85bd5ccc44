import { TestEnvironment } from 'jest-environment-node';

/** @type {WorkerEnvironment | undefined} */
let current;

/**
 * One environment for all suites of a Jest worker, so that `WorkerRuntime` can reuse the packages that an earlier suite
 * loaded into it. After each suite it restores the environment variables and the real timers.
 */
export default class WorkerEnvironment extends TestEnvironment {
  /** @type {NodeJS.ProcessEnv} */
  #variables = {};

  /**
   * @param {import('@jest/environment').JestEnvironmentConfig} config
   * @param {import('@jest/environment').EnvironmentContext} context
   */
  constructor(config, context) {
    if (current) return current;
    super(config, context);
    current = this;
  }

  /** @override */
  async setup() {
    this.#variables = { ...this.global.process.env };
  }

  /** @override */
  async teardown() {
    this.fakeTimersModern?.useRealTimers();
    const { env } = this.global.process;
    for (const name of Object.keys(env)) if (!(name in this.#variables)) delete env[name];
    Object.assign(env, this.#variables);
  }
}

import Runtime from 'jest-runtime';

/** @type {WorkerRuntime | undefined} */
let current;

/** Its bindings support a single instance, and each suite creates one. */
const SINGLE_USE = '/@prisma/schema-engine-wasm/';

/** Code that is not under test: installed packages and the generated database client. */
const isPackage = (/** @type {string} */ key) =>
  /\/node_modules\/|\/src\/generated\//.test(key) && !key.includes(SINGLE_USE);

/**
 * One module loader for all suites of a Jest worker. Each suite loads the project's sources again, but not the 3,000 modules of
 * installed packages below them, which took a third of the time of a suite that starts a service.
 */
export default class WorkerRuntime extends Runtime {
  /** @param {ConstructorParameters<typeof Runtime>} options */
  constructor(...options) {
    if (current) return current.#enter(options);
    super(...options);
    current = this;
  }

  /** @param {ConstructorParameters<typeof Runtime>} options */
  #enter(options) {
    const testPath = options[6];
    this._testPath = testPath;
    this.esmLoader.testPath = testPath;
    this.executor.testPath = testPath;
    this.testState.state = 'loading';
    return this;
  }

  /** @override */
  resetModules() {
    keepPackages(this, () => super.resetModules());
  }

  /** @override */
  teardown() {
    keepPackages(this, () => super.teardown());
  }
}

/**
 * Clears a runtime's modules except those of packages.
 * @param {WorkerRuntime} runtime
 * @param {() => void} clear
 */
function keepPackages({ registries }, clear) {
  const { moduleRegistry, esModuleRegistry } = registries;
  const commonjs = [...moduleRegistry].filter(([key, module]) => isPackage(key) && module.loaded);
  const esm = [...esModuleRegistry].filter(([key, module]) => isPackage(key) && module.status === 'evaluated');
  clear();
  for (const [key, module] of commonjs) moduleRegistry.set(key, module);
  for (const [key, module] of esm) esModuleRegistry.set(key, module);
}

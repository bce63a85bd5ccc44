import Runtime from 'jest-runtime';
import { ROOT } from '../layout.mjs';

/** @type {WorkerRuntime | undefined} */
let current;

/** Its bindings support a single instance, and each suite creates one. */
const SINGLE_USE = '/@prisma/schema-engine-wasm/';

/** Sources of the product, which import no module that only tests have. */
const SOURCE = /^\/(apps|libs(?!\/testkit\/))\/[^/]+\/src\/(?!.*(\.spec\.|\/testing\/))/;

/** @param {string} key path of a module */
const isKept = (key) =>
  (key.includes('/node_modules/') || (key.startsWith(ROOT) && SOURCE.test(key.slice(ROOT.length)))) &&
  !key.includes(SINGLE_USE);

/**
 * One module loader for all suites of a Jest worker. Each suite loads its own modules again, but neither the sources of the
 * product nor the 3,000 modules of installed packages below them: loaded again, they are compiled again and slow at first,
 * which took half of the time of a suite that starts a service. So a source must have no state that a later service could notice.
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
    keepModules(this, () => super.resetModules());
  }

  /** @override */
  teardown() {
    keepModules(this, () => super.teardown());
  }
}

/**
 * Clears the modules of a runtime except those that are kept.
 * @param {WorkerRuntime} runtime
 * @param {() => void} clear
 */
function keepModules({ registries }, clear) {
  const { moduleRegistry, esModuleRegistry } = registries;
  const commonjs = [...moduleRegistry].filter(([key, module]) => isKept(key) && module.loaded);
  const esm = [...esModuleRegistry].filter(([key, module]) => isKept(key) && module.status === 'evaluated');
  clear();
  for (const [key, module] of commonjs) moduleRegistry.set(key, module);
  for (const [key, module] of esm) esModuleRegistry.set(key, module);
}
